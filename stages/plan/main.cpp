/// @file
/// plan: options, arithmetic, reports.
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stages/core/program.h"
#include "stages/core/report_files.h"
#include "stages/plan/check_run.h"
#include "stages/plan/plan_json.h"
#include "stages/plan/plan_options.h"
#include "stages/plan/plan_page.h"
#include "stages/plan/plan_text.h"
#include "stages/plan/published.h"

namespace {

using namespace stagecraft;

/// Opened before anything is computed: a name that cannot be written is bad usage.
ReportFiles open_files(const PlanSettings& settings) {
  Options files;
  files.json = settings.json;
  files.report = settings.report;
  return ReportFiles(files);
}

int run(const PlanSettings& settings) {
  if (settings.list || settings.published) {
    fmt::print("{}", settings.list ? tables_text() : published_text());
    return kExitDone;
  }
  ReportFiles files = open_files(settings);
  std::FILE* const text = settings.json_to_standard_output() ? stderr : stdout;
  if (settings.check) {
    const CheckResult result = check_on_this_machine(*settings.check);
    fmt::print(text, "{}", check_text(result));
    files.write({[&] { return check_json(result); }, {}, {}});
    return kExitDone;
  }
  const PlanReport report = make_plan(settings.question);
  fmt::print(text, "{}", plan_text(report));
  files.write({[&] { return plan_json(report); }, {}, [&] { return plan_page(report); }});
  return kExitDone;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("plan", [&] {
    PlanOptions options;
    const std::optional<PlanSettings> settings = options.parse(argc, argv);
    return settings ? run(*settings) : kExitDone;
  });
}
