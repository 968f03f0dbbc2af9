#include "labs/program/grading.h"

#include <chrono>
#include <cstdlib>
#include <sstream>

#include "kernels/check.h"
#include "labs/program/child.h"
#include "labs/support/message.h"

namespace stagecraft::labs {
namespace {

/// Slow machines get more time: LAB_TIMEOUT_SCALE=4.
double time_scale() {
  const char* text = std::getenv("LAB_TIMEOUT_SCALE");
  const double scale = text ? std::atof(text) : 1.0;
  return scale > 0 ? scale : 1.0;
}

std::vector<std::string> check_command(const LabInfo& lab, const std::string& program, const Path& runner,
                                       const std::string& id, const GradeOptions& options) {
  std::vector<std::string> command = {program,
                                      "--run",
                                      id,
                                      "--runner",
                                      runner.string(),
                                      "--seed",
                                      std::to_string(options.seed),
                                      "--seconds",
                                      fmt::format("{:g}", lab.seconds_per_check * time_scale()),
                                      "--memory-mb",
                                      std::to_string(lab.memory_mb),
                                      "--readable",
                                      LAB_SOURCE_DIR "/models"};
  if (options.profile) command.push_back("--profile");
  const auto sizes = options.hidden.sizes.find(id);
  if (sizes == options.hidden.sizes.end()) return command;
  std::string list;
  for (const int64_t size : sizes->second) list += (list.empty() ? "" : ",") + std::to_string(size);
  command.insert(command.end(), {"--sizes", list});
  return command;
}

void fill(CheckResult& result, const std::string& bytes) {
  constexpr size_t kLength = sizeof(uint64_t);
  const Message message = Message::decode(std::string_view(bytes).substr(std::min(kLength, bytes.size())));
  result.outcome = outcome_named(message.text("outcome"));
  result.input = message.text("input");
  std::istringstream steps(message.text("steps"));
  for (std::string step; std::getline(steps, step);) result.steps.push_back(step);
  result.printed = message.text("printed");
  result.profile = message.text("profile");
  if (message.has_text("expected")) result.expected = message.text("expected");
  if (message.has_text("got")) result.got = message.text("got");
  if (message.has_text("finding")) result.finding = message.text("finding");
  if (message.has_text("measured")) result.measured = message.text("measured");
  if (message.has_text("share used")) result.share_used = std::atof(message.text("share used").c_str());
}

/// A check with the usual seed, then with each hidden one until one is not passed.
CheckResult run_with_all_seeds(const LabInfo& lab, const std::string& usual_program, const Path& runner,
                               const CheckInfo& check, const GradeOptions& options) {
  const std::string& program = options.hidden.has(check.id) ? options.hidden.program : usual_program;
  CheckResult result = run_check(lab, program, runner, check.id, check.points, options);
  for (const uint64_t seed : options.hidden.seeds) {
    if (result.outcome != Outcome::pass) break;
    GradeOptions other = options;
    other.seed = seed;
    result = run_check(lab, program, runner, check.id, check.points, other);
  }
  return result;
}

class Grading {
 public:
  Grading(const LabInfo& lab, const std::string& program, const LearnerBuild& build, const GradeOptions& options,
          LabResults& results, Predictions& predictions, const Path& state)
      : lab_(lab),
        program_(program),
        build_(build),
        options_(options),
        results_(results),
        predictions_(predictions),
        state_(state) {}

  void run() {
    results_.started = time_stamp();
    for (const TaskInfo& task : lab_.tasks) {
      for (const CheckInfo& check : task.checks) {
        if (is_part_of(check.id, options_.what)) record(run(task, check));
      }
    }
    for (const QuestionInfo& question : lab_.questions) {
      if (is_part_of(question.id, options_.what)) record(run(question));
    }
  }

 private:
  CheckResult without_running(const std::string& id, double points, Outcome outcome, const std::string& why) const {
    CheckResult result;
    result.id = id;
    result.of = points;
    result.seed = options_.seed;
    result.outcome = outcome;
    result.got = why;
    return result;
  }

  /// The first of `needs` that does not pass; empty if all do.
  std::string missing(const std::vector<std::string>& needs) const {
    for (const std::string& id : needs) {
      const TaskInfo* task = lab_.task(id);
      if (!task || !results_.passes(*task)) return id;
    }
    return "";
  }

  CheckResult run(const TaskInfo& task, const CheckInfo& check) const {
    if (!build_.refused.empty()) {
      return without_running(check.id, check.points, Outcome::error,
                             "the code refers to " + build_.refused + ": no lab needs that, and it is not run");
    }
    if (const std::string need = missing(task.needs); !need.empty()) {
      return without_running(check.id, check.points, Outcome::blocked, "needs " + need + " first");
    }
    return run_with_all_seeds(lab_, program_, build_.program, check, options_);
  }

  CheckResult run(const QuestionInfo& question) {
    const auto answer = predictions_.find(question.id);
    if (answer == predictions_.end()) {
      return without_running(question.id, question.points, Outcome::todo, "no answer yet");
    }
    if (const std::string need = missing(question.needs); !need.empty() || !build_.refused.empty()) {
      return without_running(question.id, question.points, Outcome::blocked, "is measured with " + need);
    }
    CheckResult result = run_check(lab_, program_, build_.program, question.id, question.points, options_);
    if (result.outcome != Outcome::pass) return result;
    answer->second.judged = true;
    save_predictions_if_stored();
    result.input = fmt::format("you predicted {:g} {}", answer->second.value, question.unit);
    result.got = fmt::format("{:g} {}", answer->second.value, question.unit);
    result.expected = result.measured + " " + question.unit;
    if (question.factor > 1) result.expected += fmt::format(", within a factor of {:g}", question.factor);
    if (is_right(question, answer->second.value, std::atof(result.measured.c_str()))) return result;
    result.outcome = Outcome::fail;
    result.points = 0;
    return result;
  }

  void save_predictions_if_stored() const {
    if (!state_.empty()) save_predictions(state_, predictions_);
  }

  void record(const CheckResult& result) {
    results_.checks[result.id] = result;
    if (!state_.empty()) save_results(state_, results_);
    options_.on_result(result);
  }

  const LabInfo& lab_;
  const std::string& program_;
  const LearnerBuild& build_;
  const GradeOptions& options_;
  LabResults& results_;
  Predictions& predictions_;
  const Path& state_;
};

}  // namespace

CheckResult run_check(const LabInfo& lab, const std::string& program, const Path& runner, const std::string& id,
                      double points, const GradeOptions& options) {
  CheckResult result;
  result.id = id;
  result.of = points;
  result.seed = options.seed;
  ChildOptions how;
  how.result_option = "--result-to";
  constexpr double kSlackSeconds = 20;  // the check ends the learner's process at its own deadline
  how.seconds = lab.seconds_per_check * time_scale() * 3 + kSlackSeconds;
  const auto start = std::chrono::steady_clock::now();
  const ChildResult child = run_child(check_command(lab, program, runner, id, options), how);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  try {
    if (child.exit_code == kTimedOut) throw std::runtime_error("the check itself did not end");
    fill(result, child.result);
  } catch (const std::exception& error) {
    result.outcome = Outcome::error;
    result.got =
        fmt::format("the check has no result (exit code {}): {} {}", child.exit_code, error.what(), child.output);
  }
  if (result.outcome == Outcome::pass) result.points = points;
  return result;
}

void grade(const LabInfo& lab, const std::string& program, const LearnerBuild& build, const GradeOptions& options,
           LabResults& results, Predictions& predictions, const Path& state) {
  Grading(lab, program, build, options, results, predictions, state).run();
}

}  // namespace stagecraft::labs
