#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "labs/program/exports/exports.h"
#include "labs/program/on_gpu.h"

namespace stagecraft::labs {
namespace {

using Json = nlohmann::json;

/// "lab00.t1.c2" as "0.1.2"; a question's "lab00.q1" as "0.q1".
std::string number_of(const LabInfo& lab, const std::string& id) {
  std::string rest = id.substr(lab.id.size());
  for (const char letter : {'t', 'c'}) {
    const size_t at = rest.find(std::string(".") + letter);
    if (at != std::string::npos) rest.erase(at + 1, 1);
  }
  return std::to_string(lab.number) + rest;
}

Json test(const LabInfo& lab, const CheckResult& result, const std::string& title, const std::string& kind,
          const std::string& visibility) {
  Json json = {{"name", result.id + " " + title},
               {"number", number_of(lab, result.id)},
               {"output", result.outcome == Outcome::pass ? "pass" : plain_failure(result)},
               {"output_format", "text"},
               {"tags", {result.id.substr(0, result.id.rfind('.')), kind, name_of(result.outcome)}},
               {"visibility", visibility},
               {"extra_data", {{"seed", result.seed}, {"outcome", name_of(result.outcome)}}}};
  if (result.outcome == Outcome::not_run) return json;  // for information: neither points nor a verdict
  json["score"] = result.points;
  json["max_score"] = result.of;
  json["status"] = result.outcome == Outcome::pass ? "passed" : "failed";
  return json;
}

/// Counted work as a share of what the contract allows: the mean over the checks that count, once all of them pass. The
/// same on every machine; wall time has no place here.
std::optional<double> share_used(const LabRecord& record) {
  double sum = 0;
  int counted = 0;
  for (const TaskInfo& task : record.lab.tasks) {
    for (const CheckInfo& check : task.checks) {
      if (check.kind != "counts" && check.kind != "clock") continue;
      const CheckResult result = record.results.of(check.id, check.points);
      if (result.outcome != Outcome::pass) return std::nullopt;
      sum += result.share_used;
      counted += result.share_used > 0;
    }
  }
  if (counted == 0) return std::nullopt;
  return sum / counted;
}

Json leaderboard(const LabRecord& record, const Tally& tally) {
  Json json = Json::array();
  json.push_back({{"name", "points"}, {"value", tally.points}});
  if (const std::optional<double> share = share_used(record)) {
    constexpr double kDigits = 1e4;
    json.push_back(
        {{"name", "counted work / allowed"}, {"value", std::round(*share * kDigits) / kDigits}, {"order", "asc"}});
  }
  return json;
}

}  // namespace

std::string plain_failure(const CheckResult& result) {
  std::string text = fmt::format("{}\n", name_of(result.outcome));
  const auto add = [&](const std::string& label, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:<10}{}\n", label, value);
  };
  add("input", result.input);
  add("seed", std::to_string(result.seed));
  for (size_t i = 0; i < result.steps.size(); ++i)
    add(i == 0 ? "steps" : "", fmt::format("{} {}", i + 1, result.steps[i]));
  add("expected", result.expected);
  add("got", result.got);
  add("simulator", result.finding);
  add("printed", result.printed);
  add("again", fmt::format("labs/lab test {} --seed {}", result.id, result.seed));
  return text;
}

std::string gradescope_json(const LabRecord& record) {
  Json tests = Json::array();
  double seconds = 0;
  const auto add = [&](const CheckResult& result, const std::string& title, const std::string& kind,
                       const std::string& visibility) {
    tests.push_back(test(record.lab, result, title, kind, visibility));
    seconds += result.seconds;
  };
  for (const TaskInfo& task : record.lab.tasks) {
    for (const CheckInfo& check : task.checks)
      add(record.results.of(check.id, check.points), check.title, check.kind, check.visibility);
    if (has_gpu_column(task)) add(on_gpu(task), "on a GPU", "gpu", "visible");
  }
  for (const QuestionInfo& question : record.lab.questions) {
    add(record.results.of(question.id, question.points), "prediction", "prediction", "visible");
  }
  const Tally tally = tally_of(record.lab, record.results);
  const Json json = {{"score", tally.points},
                     {"output", record.lab.id + " " + record.lab.title},
                     {"output_format", "text"},
                     {"test_output_format", "text"},
                     {"visibility", "visible"},
                     {"stdout_visibility", "hidden"},
                     {"execution_time", seconds},
                     {"leaderboard", leaderboard(record, tally)},
                     {"tests", tests}};
  // What a learner's program printed may be no UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stagecraft::labs
