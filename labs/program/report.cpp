#include "labs/program/report.h"

#include <sstream>

#include <fmt/format.h>

namespace stagecraft::labs {
namespace {

/// "lab00.t1" as "t1".
std::string short_id(const std::string& id) { return id.substr(id.find('.') + 1); }

/// What a task comes to: the worst that is wrong, else what is open, else a pass.
Outcome outcome_of(const TaskInfo& task, const LabResults& results) {
  Outcome skipped = Outcome::pass;
  for (const CheckInfo& check : task.checks) {
    const Outcome outcome = results.of(check.id, check.points).outcome;
    if (is_failure(outcome)) return outcome;
    if (is_skipped(outcome)) skipped = outcome;
  }
  return skipped;
}

/// A label and a text that may have several lines.
std::string field(const std::string& label, const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    result += fmt::format("       {:<9} {}\n", result.empty() ? label : "", line);
  }
  return result;
}

/// Files of the repository as one would type them there.
std::string with_short_paths(const Places& places, std::string text) {
  const std::string root = places.source.string() + "/";
  for (size_t at = text.find(root); at != std::string::npos; at = text.find(root, at)) text.erase(at, root.size());
  return text;
}

}  // namespace

std::string task_line(const Console& console, const TaskInfo& task, const LabResults& results,
                      const std::string& more) {
  Tally tally;
  for (const CheckInfo& check : task.checks) tally.add(results.of(check.id, check.points));
  return fmt::format("  {:<4}{:<44}{:>7}  {}{}\n", short_id(task.id), task.title,
                     points_text(tally.points) + "/" + points_text(tally.of),
                     console.outcome(outcome_of(task, results)), more);
}

std::string question_line(const Console& console, const QuestionInfo& question, const LabResults& results) {
  const CheckResult result = results.of(question.id, question.points);
  std::string what = "prediction";
  if (!result.measured.empty()) what = fmt::format("{}, measured {}", result.input, result.measured);
  return fmt::format("  {:<4}{:<44}{:>7}  {}\n", short_id(question.id), what.substr(0, 60),
                     points_text(result.points) + "/" + points_text(result.of), console.outcome(result.outcome));
}

std::string failure_text(const Console& console, const Places& places, const LabInfo& lab, const CheckInfo& check,
                         const CheckResult& result) {
  const std::string task = check.id.substr(0, check.id.rfind('.'));
  std::string text = fmt::format("     {} {}  {}\n", console.red("x"), console.bold(check.id), check.title);
  text += field("input", result.input);
  text += field("seed", std::to_string(result.seed));
  for (size_t i = 0; i < result.steps.size(); ++i)
    text += field(i == 0 ? "steps" : "", fmt::format("{} {}", i + 1, result.steps[i]));
  text += field("expected", result.expected);
  text += field("got", console.red(with_short_paths(places, result.got)));
  text += field("simulator", with_short_paths(places, result.finding));
  if (!result.printed.empty()) text += field("printed", result.printed);
  text += field("contract", contract_line(places, lab, check.id));
  text += field("hint", "labs/lab hint " + task);
  text += field("again", fmt::format("labs/lab test {} --seed {}", check.id, result.seed));
  return text;
}

std::string last_line(const Tally& tally) {
  return fmt::format("{} passed, {} failed, {} skipped\n", tally.passed, tally.failed, tally.skipped);
}

}  // namespace stagecraft::labs
