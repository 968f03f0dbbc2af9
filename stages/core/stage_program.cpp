/// @file
/// Session, text, run, report: in this order.
#include "stages/core/stage_program.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "stages/core/latency_table.h"
#include "stages/core/metrics_file.h"
#include "stages/core/printing_client.h"
#include "stages/core/program.h"
#include "stages/core/prompt_logits.h"

namespace stagecraft {
namespace {

/// The run itself, with its text going to standard output unless the report goes there.
RunLog serve(const StageProgram& program, const Options& options, const Session& session, KvPool& pool,
             const InterruptWatch& interrupt, bool print_text) {
  const int printed = print_text ? int(session.jobs.size()) : 0;
  ClientBuffers buffers(session.jobs.size());
  TextPrinter printer(stdout, printed);
  PrintingClient client(buffers, printer, printed);
  const std::unique_ptr<EngineClock> clock = program.clock(session);
  RunSettings settings{.end_of_text = session.end_of_text, .clock = clock.get(), .sink = &buffers};
  settings.cancelled = [&](const Request&) { return interrupt.requested() || client.gone(); };
  std::optional<MetricsFile> metrics;
  if (!program.watch.metrics.empty()) {
    metrics.emplace(program.watch.metrics, MetricsNames{name_of_folder(options.model), program.watch.slo},
                    pool.bytes());
    settings.after_step = [&](const RunProgress& progress) { metrics->update(progress); };
  }
  RunLog log = session.run(program.engine, session.jobs, pool, settings);
  client.wait();
  if (metrics) metrics->finish(log);
  return log;
}

/// Says what was refused. Returns whether anything was.
bool report_refusals(const StageProgram& program, const RunLog& log) {
  bool any = false;
  for (const RequestRecord& request : log.requests) {
    if (!request.refusal) continue;
    fmt::print(stderr, "{}: error: {}: the request was refused\n", program.info.program, *request.refusal);
    any = true;
  }
  return any;
}

}  // namespace

int serve_and_report(const StageProgram& program, const Options& options, const Asked& asked) {
  const InterruptWatch interrupt;
  Session session = open_session(options, asked, interrupt);
  print_heading(program.info, options, session);
  KvPool pool = kv_pool_for(program.engine, session.jobs, *session.model, options.kv_type);
  if (!options.logits.empty()) {
    session.files.write_logits(
        prompt_logits(*session.model, pool, session.jobs.front().request.tokens, program.prompt_chunk),
        session.config.vocabulary);
  }

  RunLog log = serve(program, options, session, pool, interrupt, !options.json_to_standard_output());
  RunReport report = make_report(program.info, options, session, std::move(log));
  report.slo = program.watch.slo;
  report.work = program.work(report, session);
  fmt::print(stderr, "\n{}", latency_table(report));
  session.files.write(report);
  const bool refused = report_refusals(program, report.log);
  if (interrupt.requested()) return kExitInterrupted;
  return refused ? kExitBadInput : kExitDone;
}

}  // namespace stagecraft
