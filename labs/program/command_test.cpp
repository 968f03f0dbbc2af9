/// @file
/// lab test, grade and profile: build the learner's copy, run checks, tell.
#include <chrono>
#include <cstdio>
#include <random>

#include <fmt/format.h>

#include "kernels/check.h"
#include "labs/program/commands.h"
#include "labs/program/exports/write_exports.h"
#include "labs/program/grading.h"
#include "labs/program/on_gpu.h"
#include "labs/program/report.h"

namespace stagecraft::labs {
namespace {

constexpr uint64_t kUsualSeed = 1;

/// Prints each task when its last check is there, and the first failure in full; of later tasks only which checks fail, so
/// that a lab fits on a screen.
class Printer {
 public:
  Printer(const Session& session, const LabInfo& lab, const LabResults& results, const std::string& what, bool all)
      : session_(session), lab_(lab), results_(results), what_(what), all_(all) {}

  void heading(uint64_t seed) const {
    fmt::print("{}    code {}    seed {}\n", session_.console.bold(lab_.id + "  " + lab_.title),
               as_typed(session_, session_.places.copy_of(lab_.id)), seed);
  }

  void add(const CheckResult& result) {
    tally_.add(result);
    for (const TaskInfo& task : lab_.tasks) {
      for (const CheckInfo& check : task.checks) {
        if (check.id != result.id) continue;
        if (is_failure(result.outcome)) failures_.push_back({&check, result});
        const bool last = check.id == task.checks.back().id || check.id == what_;
        if (last) finish(task);
      }
    }
    for (const QuestionInfo& question : lab_.questions) {
      if (question.id == result.id) print_question(question, result);
    }
    std::fflush(stdout);
  }

  const Tally& tally() const { return tally_; }

 private:
  struct Failure {
    const CheckInfo* check;
    CheckResult result;
  };

  void finish(const TaskInfo& task) {
    if (shown_one_ && !all_) {
      std::string failed;
      for (const Failure& failure : failures_) failed += " " + failure.check->id.substr(task.id.size() + 1);
      fmt::print("{}", task_line(session_.console, task, results_, failed));
      failures_.clear();
      return;
    }
    fmt::print("{}", task_line(session_.console, task, results_, ""));
    for (const Failure& failure : failures_) {
      if (all_ || !shown_one_) {
        fmt::print("{}", failure_text(session_.console, session_.places, lab_, *failure.check, failure.result));
        shown_one_ = true;
      } else {
        fmt::print("     {} {}  {}: {}\n", session_.console.red("x"), failure.check->id, failure.check->title,
                   name_of(failure.result.outcome));
      }
    }
    failures_.clear();
  }

  void print_question(const QuestionInfo& question, const CheckResult& result) const {
    fmt::print("{}", question_line(session_.console, question, results_));
    if (!result.measured.empty()) fmt::print("       {}\n", question.afterwards);
  }

  const Session& session_;
  const LabInfo& lab_;
  const LabResults& results_;
  std::string what_;
  bool all_;
  bool shown_one_ = false;
  std::vector<Failure> failures_;
  Tally tally_;
};

uint64_t new_seed() {
  constexpr uint64_t kShort = 100000;  // easy to type
  std::random_device entropy;
  return 1 + entropy() % kShort;
}

struct Graded {
  Tally tally;
  LabResults results;
};

/// Tells the seconds since the last lap.
class Laps {
 public:
  explicit Laps(bool told) : told_(told) {}
  void end(const char* what) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    if (told_) fmt::print(stderr, "{} in {:.1f} s\n", what, seconds);
  }

 private:
  bool told_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Builds the learner's copy and runs what `options.what` names of `lab`.
Graded run_checks(const Session& session, const LabInfo& lab, const HiddenTests& hidden, const TestOptions& options) {
  Laps laps(options.time);
  const LearnerBuild build = build_copy(session, lab, BuildKind::checked);
  laps.end("built");
  GradeOptions how;
  how.what = session.full_id(lab, options.what);
  how.seed = options.seed;
  how.hidden = hidden;
  const Path state = session.places.state_of(lab.id);
  Graded graded{{}, load_results(state)};
  Predictions predictions = load_predictions(state);
  Printer printer(session, lab, graded.results, how.what, options.all);
  printer.heading(how.seed);
  how.on_result = [&](const CheckResult& result) { printer.add(result); };
  grade(lab, read_toolchain(session.places, lab).checks, build, how, graded.results, predictions, state);
  laps.end("checked");
  graded.tally = printer.tally();
  return graded;
}

/// All checks end in an error that says what the compiler said: for graders, which must get a result.
LabResults nothing_compiles(const LabInfo& lab, const TestOptions& options, const DoesNotCompile& failure) {
  LabResults results;
  results.started = time_stamp();
  const auto add = [&](const std::string& id, double points) {
    CheckResult& result = results.checks[id];
    result.id = id;
    result.of = points;
    result.seed = options.seed;
    result.outcome = Outcome::error;
    result.got = std::string(failure.what()) + "\n" + failure.messages;
  };
  for (const TaskInfo& task : lab.tasks) {
    for (const CheckInfo& check : task.checks) add(check.id, check.points);
  }
  for (const QuestionInfo& question : lab.questions) add(question.id, question.points);
  return results;
}

int exit_code(const Tally& tally) { return tally.gradable > 0 && tally.points >= tally.gradable ? 0 : 1; }

}  // namespace

int test(const Session& session, const TestOptions& options) {
  LabInfo lab = session.lab(options.what);
  TestOptions usual = options;
  if (usual.seed == 0) usual.seed = kUsualSeed;
  // Questions are judged when one grades or asks for them.
  if (session.full_id(lab, usual.what) == lab.id) lab.questions.clear();
  const Graded graded = run_checks(session, lab, {}, usual);
  fmt::print("{}", last_line(graded.tally));
  return exit_code(graded.tally);
}

int grade(const Session& session, const TestOptions& options) {
  LabInfo lab = session.lab(options.what);
  TestOptions whole = options;
  whole.what = lab.id;
  if (whole.seed == 0) whole.seed = new_seed();
  HiddenTests hidden;
  if (!options.hidden.empty()) {
    build_project(session, lab.id + "_ready");
    hidden = read_hidden_tests(options.hidden, lab);
    build_hidden_checks(hidden, session.places, lab);
    lab = with_hidden_checks(lab, hidden);
  }
  try {
    const Graded graded = run_checks(session, lab, hidden, whole);
    fmt::print("  {:-<60}\n  score {} of {} gradable here", "", points_text(graded.tally.points),
               points_text(graded.tally.gradable));
    if (graded.tally.of > graded.tally.gradable) fmt::print(" ({} in all)", points_text(graded.tally.of));
    fmt::print("\n");
    if (const std::string line = gpu_line(lab); !line.empty()) fmt::print("  {}\n", line);
    if (!options.export_to.empty()) write_exports(session, {lab, graded.results}, options.export_to);
    fmt::print("{}", last_line(graded.tally));
    return exit_code(graded.tally);
  } catch (const DoesNotCompile& failure) {
    if (!options.export_to.empty())
      write_exports(session, {lab, nothing_compiles(lab, whole, failure)}, options.export_to);
    throw;
  }
}

int profile(const Session& session, const std::string& id) {
  const LabInfo& lab = session.lab(id);
  const std::string full = session.full_id(lab, id);
  const LearnerBuild build = build_copy(session, lab, BuildKind::checked);
  GradeOptions how;
  how.seed = kUsualSeed;
  how.profile = true;
  const std::string program = read_toolchain(session.places, lab).checks;
  for (const TaskInfo& task : lab.tasks) {
    for (const CheckInfo& check : task.checks) {
      // A task's counts are those of its check that looks at counts.
      if (check.id != full && !(task.id == full && (check.kind == "counts" || task.checks.size() == 1))) continue;
      const CheckResult result = run_check(lab, program, build.program, check.id, check.points, how);
      fmt::print("{}  {}: {}\n{}", session.console.bold(check.id), check.title, name_of(result.outcome),
                 result.profile);
      if (result.profile.empty()) fmt::print("no kernel ran: {}\n", result.got);
      return 0;
    }
  }
  throw BadInput(fmt::format("'{}' has no check that counts", full),
                 "name a check, such as " + lab.tasks.front().checks.back().id);
}

}  // namespace stagecraft::labs
