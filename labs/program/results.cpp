#include "labs/program/results.h"

#include <array>
#include <ctime>

#include <nlohmann/json.hpp>

namespace stagecraft::labs {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 8> kNames = {"pass",    "fail",  "todo",  "not run",
                                               "timeout", "crash", "error", "blocked"};

Json to_json(const CheckResult& result) {
  return {{"id", result.id},
          {"outcome", name_of(result.outcome)},
          {"points", result.points},
          {"of", result.of},
          {"seed", result.seed},
          {"seconds", result.seconds},
          {"input", result.input},
          {"steps", result.steps},
          {"expected", result.expected},
          {"got", result.got},
          {"finding", result.finding},
          {"printed", result.printed},
          {"measured", result.measured},
          {"share_used", result.share_used}};
}

CheckResult from_json(const Json& json) {
  CheckResult result;
  result.id = json.at("id");
  result.outcome = outcome_named(json.at("outcome"));
  result.points = json.at("points");
  result.of = json.at("of");
  result.seed = json.at("seed");
  result.seconds = json.at("seconds");
  result.input = json.at("input");
  result.steps = json.at("steps").get<std::vector<std::string>>();
  result.expected = json.at("expected");
  result.got = json.at("got");
  result.finding = json.at("finding");
  result.printed = json.at("printed");
  result.measured = json.at("measured");
  result.share_used = json.value("share_used", 0.0);
  return result;
}

}  // namespace

const char* name_of(Outcome outcome) { return kNames[size_t(outcome)]; }

Outcome outcome_named(const std::string& name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return Outcome(i);
  }
  return Outcome::error;
}

bool is_skipped(Outcome outcome) {
  return outcome == Outcome::todo || outcome == Outcome::not_run || outcome == Outcome::blocked;
}

bool is_failure(Outcome outcome) { return outcome != Outcome::pass && !is_skipped(outcome); }

CheckResult LabResults::of(const std::string& id, double points) const {
  const auto found = checks.find(id);
  CheckResult result;
  if (found != checks.end()) return found->second;
  result.id = id;
  result.outcome = Outcome::todo;
  result.of = points;
  return result;
}

bool LabResults::passes(const TaskInfo& task) const {
  for (const CheckInfo& check : task.checks) {
    if (of(check.id, check.points).outcome != Outcome::pass) return false;
  }
  return true;
}

void Tally::add(const CheckResult& result) {
  passed += result.outcome == Outcome::pass;
  failed += is_failure(result.outcome);
  skipped += is_skipped(result.outcome);
  points += result.points;
  of += result.of;
  if (result.outcome != Outcome::not_run) gradable += result.of;
}

Tally tally_of(const LabInfo& lab, const LabResults& results) {
  Tally tally;
  for (const TaskInfo& task : lab.tasks) {
    for (const CheckInfo& check : task.checks) tally.add(results.of(check.id, check.points));
  }
  for (const QuestionInfo& question : lab.questions) tally.add(results.of(question.id, question.points));
  return tally;
}

LabResults load_results(const Path& state) {
  LabResults results;
  const Path file = state / "results.json";
  if (!std::filesystem::exists(file)) return results;
  try {
    const Json json = Json::parse(read_file(file));
    results.started = json.at("started");
    for (const Json& check : json.at("checks")) {
      const CheckResult result = from_json(check);
      results.checks[result.id] = result;
    }
  } catch (const Json::exception&) {
    return {};  // a file that somebody edited says nothing
  }
  return results;
}

void save_results(const Path& state, const LabResults& results) {
  Json json{{"version", 1}, {"started", results.started}, {"checks", Json::array()}};
  for (const auto& [id, result] : results.checks) json["checks"].push_back(to_json(result));
  write_file(state / "results.json", json.dump(1) + "\n");
}

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace stagecraft::labs
