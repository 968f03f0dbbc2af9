#include <fmt/format.h>

#include "labs/program/exports/exports.h"
#include "labs/program/exports/markup.h"
#include "labs/program/on_gpu.h"

namespace stagecraft::labs {
namespace {

std::string test_case(const CheckResult& result, const std::string& title) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{} {}\" time=\"{:.3f}\">\n",
                  result.id.substr(0, result.id.rfind('.')), escaped(result.id), escaped(title), result.seconds);
  text += fmt::format(
      "      <properties><property name=\"points\" value=\"{:g}\"/><property name=\"of\" "
      "value=\"{:g}\"/></properties>\n",
      result.points, result.of);
  const std::string message = escaped(result.got.substr(0, result.got.find('\n')));
  if (is_skipped(result.outcome)) {
    text += fmt::format("      <skipped message=\"{}: {}\"/>\n", name_of(result.outcome), message);
  } else if (result.outcome == Outcome::fail) {
    text += fmt::format("      <failure message=\"{}\">{}</failure>\n", message, escaped(plain_failure(result)));
  } else if (result.outcome != Outcome::pass) {
    text += fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n", name_of(result.outcome), message,
                        escaped(plain_failure(result)));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string junit_xml(const LabRecord& record) {
  std::string cases;
  int all = 0, failures = 0, errors = 0, skipped = 0;
  const auto add = [&](const CheckResult& result, const std::string& title) {
    cases += test_case(result, title);
    ++all;
    failures += result.outcome == Outcome::fail;
    skipped += is_skipped(result.outcome);
    errors += is_failure(result.outcome) && result.outcome != Outcome::fail;
  };
  for (const TaskInfo& task : record.lab.tasks) {
    for (const CheckInfo& check : task.checks) add(record.results.of(check.id, check.points), check.title);
    if (has_gpu_column(task)) add(on_gpu(task), "on a GPU");
  }
  for (const QuestionInfo& question : record.lab.questions)
    add(record.results.of(question.id, question.points), "prediction");
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\" skipped=\"{}\" timestamp=\"{}\">\n{}  </testsuite>\n</testsuites>\n",
      record.lab.id, all, failures, errors, skipped, record.results.started, cases);
}

}  // namespace stagecraft::labs
