/// @file
/// compare: options, rounds, reports.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "stages/compare/compare_json.h"
#include "stages/compare/compare_options.h"
#include "stages/compare/compare_page.h"
#include "stages/compare/compare_table.h"
#include "stages/compare/machine_limits.h"
#include "stages/core/program.h"
#include "stages/core/trace.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kProgram{0, "compare", "compare", ""};

WorkloadSummary summary_of(const CompareSettings& settings, const Session& session) {
  WorkloadSummary summary{settings.asked.workload ? settings.asked.workload->name : "prompts", 0, 0, 0};
  for (const Job& job : session.jobs) {
    ++summary.requests;
    summary.prompt_tokens += job.request.prompt_tokens;
  }
  return summary;
}

/// A trace's requests need a session of their own: the model is made for the longest request.
struct SliceSession {
  Workload workload;
  Session session;
};

std::vector<SliceSession> open_slices(const CompareSettings& settings, Options options,
                                      const InterruptWatch& interrupt) {
  std::vector<SliceSession> sessions;
  if (!settings.trace_slice) return sessions;
  options.json = options.trace = options.report = "";  // the reports are the comparison's
  for (Workload& workload : conversation_slices()) {
    Session session = open_session(options, {.workload = workload}, interrupt);
    sessions.push_back({std::move(workload), std::move(session)});
  }
  return sessions;
}

std::vector<Contestant> contestants_of(const CompareSettings& settings) {
  std::vector<Contestant> contestants;
  for (const StageEntry& stage : settings.stages) contestants.push_back({stage.info, stage.make(settings.limits)});
  return contestants;
}

Comparison compare(const CompareSettings& settings, Options options, const Session& session,
                   const std::vector<SliceSession>& slices, const InterruptWatch& interrupt) {
  if (settings.predict) {
    if (session.device->name() != "cpu" && !(options.limits.read_bandwidth_gbs && options.limits.peak_gflops)) {
      throw BadInput(fmt::format("--predict cannot measure the limits of device {}", session.device->name()),
                     "give --read-bandwidth and --peak-gflops");
    }
    options.limits = with_measured_limits(options.limits, options.threads);
  }
  Comparison result;
  result.workload = summary_of(settings, session);
  result.limits = settings.limits;
  result.kv_bytes_per_token = session.config.kv_bytes_per_token(options.kv_type);
  result.machine = options.limits;
  const ModelWeights& weights = session.model->weights();
  const std::optional<Roofline> roofline =
      roofline_of(weights.bytes_per_forward, result.kv_bytes_per_token, weights.parameters, options.limits);
  if (settings.predict) result.prediction = roofline;

  result.stages = run_in_turns(contestants_of(settings), settings.repeat, options, session, interrupt);
  const RunLog& expected = result.first_report().log;
  for (const RequestRecord& request : expected.requests) {
    result.workload.output_tokens += int64_t(request.output_ids.size());
  }
  result.sweep = sweep_batch_sizes(settings.stages, settings.limits, expected, roofline, options, session, interrupt);
  for (const SliceSession& slice : slices) {
    result.slices.push_back(compare_on_slice(slice.workload, std::min(kSlicePlaces, settings.limits.batch),
                                             settings.repeat, roofline, options, slice.session, interrupt));
  }
  return result;
}

void write_reports(const Comparison& comparison, ReportFiles& files) {
  files.write({[&] { return comparison_json(comparison); },
               [&] {
                 std::vector<NamedLog> logs;
                 for (const StageRuns& stage : comparison.stages) {
                   logs.push_back({name_of(stage.info), stage.typical().log});
                 }
                 return trace_json(logs);
               },
               [&] { return comparison_page(comparison); }});
}

/// Says what no stage could serve. Returns whether there was any.
bool report_refusals(const Comparison& comparison) {
  bool any = false;
  for (const RequestRecord& request : comparison.first_report().log.requests) {
    if (!request.refusal) continue;
    fmt::print(stderr, "compare: error: {}: the request was refused\n", *request.refusal);
    any = true;
  }
  return any;
}

int run(const CompareSettings& settings, const Options& options) {
  const InterruptWatch interrupt;
  Session session = open_session(options, settings.asked, interrupt);
  const std::vector<SliceSession> slices = open_slices(settings, options, interrupt);
  for (const std::string& warning : session.model->weights().warnings) fmt::print(stderr, "warning: {}\n", warning);
  for (const std::string& note : options.notes) fmt::print(stderr, "note: {}\n", note);
  for (const std::string& note : session.notes) fmt::print(stderr, "note: {}\n", note);

  const Comparison comparison = compare(settings, options, session, slices, interrupt);
  fmt::print(options.json_to_standard_output() ? stderr : stdout, "{}", comparison_table(comparison));
  write_reports(comparison, session.files);
  return report_refusals(comparison) ? kExitBadInput : kExitDone;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(kProgram.program, [&] {
    CommandLine command_line(kProgram);
    CompareOptions compare_options(command_line);
    const std::optional<Options> options = command_line.parse(argc, argv);
    return options ? run(compare_options.read(*options), *options) : kExitDone;
  });
}
