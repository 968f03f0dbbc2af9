#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "labs/program/console.h"
#include "labs/program/exports/exports.h"
#include "labs/program/exports/markup.h"
#include "labs/program/on_gpu.h"

namespace stagecraft::labs {
namespace {

using Json = nlohmann::json;

Json task_json(const TaskInfo& task, const LabResults& results) {
  Tally tally;
  Json checks = Json::object();
  for (const CheckInfo& check : task.checks) {
    const CheckResult result = results.of(check.id, check.points);
    tally.add(result);
    checks[check.id] = name_of(result.outcome);
  }
  Json json = {{"id", task.id}, {"title", task.title}, {"points", tally.points}, {"of", tally.of}, {"checks", checks}};
  if (has_gpu_column(task)) json["gpu"] = name_of(on_gpu(task).outcome);
  return json;
}

constexpr const char* kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2em .6em;border-bottom:1px solid #ddd}"
    ".pass{color:#1a7f37}.fail{color:#b42318}.open{color:#8a6d00}progress{width:100%}";

const char* style_of(Outcome outcome) {
  if (outcome == Outcome::pass) return "pass";
  return is_failure(outcome) ? "fail" : "open";
}

std::string outcome_cell(Outcome outcome) {
  return fmt::format("<td class=\"{}\">{}</td>", style_of(outcome), name_of(outcome));
}

/// `gpu` is the cell of the column for GPUs.
std::string row(const std::string& id, const std::string& title, const CheckResult& result, const std::string& gpu) {
  return fmt::format("<tr><td>{}</td><td>{}</td><td>{:g} / {:g}</td>{}{}</tr>\n", escaped(id), escaped(title),
                     result.points, result.of, outcome_cell(result.outcome), gpu);
}

/// A task's checks; its outcome on a GPU stands beside the first.
std::string rows(const TaskInfo& task, const LabResults& results) {
  std::string text;
  std::string gpu = has_gpu_column(task) ? outcome_cell(on_gpu(task).outcome) : "<td></td>";
  for (const CheckInfo& check : task.checks) {
    text += row(check.id, check.title, results.of(check.id, check.points), gpu);
    gpu = "<td></td>";
  }
  return text;
}

}  // namespace

std::string progress_json(const std::vector<LabRecord>& records) {
  Json json = {{"version", 1}, {"labs", Json::array()}};
  for (const LabRecord& record : records) {
    const Tally tally = tally_of(record.lab, record.results);
    Json lab = {{"id", record.lab.id},    {"title", record.lab.title},  {"graded", record.results.started},
                {"points", tally.points}, {"gradable", tally.gradable}, {"of", tally.of},
                {"passed", tally.passed}, {"failed", tally.failed},     {"skipped", tally.skipped},
                {"tasks", Json::array()}, {"questions", Json::object()}};
    for (const TaskInfo& task : record.lab.tasks) lab["tasks"].push_back(task_json(task, record.results));
    for (const QuestionInfo& question : record.lab.questions) {
      lab["questions"][question.id] = name_of(record.results.of(question.id, question.points).outcome);
    }
    json["labs"].push_back(lab);
  }
  return json.dump(1) + "\n";
}

std::string progress_html(const std::vector<LabRecord>& records) {
  std::string body;
  for (const LabRecord& record : records) {
    const Tally tally = tally_of(record.lab, record.results);
    body += fmt::format(
        "<h2>{} {}</h2>\n<p><progress max=\"{:g}\" value=\"{:g}\"></progress> {:g} of {:g} points; {} passed, {} "
        "failed, {} skipped</p>\n<table>\n<tr><th>check</th><th>what holds</th><th>points</th><th>outcome</th>"
        "<th>on a GPU</th></tr>\n",
        escaped(record.lab.id), escaped(record.lab.title), tally.of, tally.points, tally.points, tally.of, tally.passed,
        tally.failed, tally.skipped);
    for (const TaskInfo& task : record.lab.tasks) body += rows(task, record.results);
    for (const QuestionInfo& question : record.lab.questions) {
      body += row(question.id, "prediction", record.results.of(question.id, question.points), "<td></td>");
    }
    body += "</table>\n";
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Labs: progress</title>"
      "<style>{}</style></head><body>\n<h1>Labs: progress</h1>\n<p>As of {}.</p>\n{}</body></html>\n",
      kStyle, time_stamp(), body);
}

}  // namespace stagecraft::labs
