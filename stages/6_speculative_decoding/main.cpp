/// @file
/// stage6_speculative_decoding: options, run, report.
#include <algorithm>

#include <CLI/CLI.hpp>

#include "stages/4_continuous_batching/engine_options.h"
#include "stages/5_paged_attention/paging_options.h"
#include "stages/6_speculative_decoding/speculation_options.h"
#include "stages/6_speculative_decoding/work.h"
#include "stages/core/clock_options.h"
#include "stages/core/metrics_options.h"
#include "stages/core/program.h"
#include "stages/core/same_output.h"
#include "stages/core/stage_program.h"
#include "stages/core/workload_options.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kStage{6, "speculative_decoding", "stage6_speculative_decoding",
                           "speculative decoding: guess several tokens, check them in one pass"};
constexpr int kMaxRunning = 64;

struct StageOptions {
  SpeculativeOptions engine;
  DrafterChoice drafter;
  std::optional<CostModel> cost;
  WatchSettings watch;
  bool baseline = false;
};

RunLog run_without_drafts(const StageOptions& stage, const Options& options, const Session& session) {
  PagedEngine engine(stage.engine.paged);
  const std::unique_ptr<EngineClock> clock = make_clock(stage.cost, session, options);
  return session.run_jobs(engine, options.kv_type, *clock);
}

std::vector<WorkLine> work(const StageOptions& stage, const DraftReport& drafts, const Options& options,
                           const RunReport& report, const Session& session) {
  std::vector<WorkLine> lines = speculative_work(report, drafts);
  if (stage.cost) lines.push_back({"virtual clock", "", describe(cost_of_model(*stage.cost, session, options))});
  if (!stage.baseline) return lines;
  const RunLog baseline = run_without_drafts(stage, options, session);
  if (stage.engine.verifier == Verifier::exact_match) {
    check_same_output(baseline, "without drafts", report.log, "with drafts");
  }
  for (WorkLine& line : baseline_lines(report, baseline)) lines.push_back(std::move(line));
  return lines;
}

int run(const StageOptions& stage, const Options& options, const Asked& asked) {
  SpeculativeEngine engine(stage.engine,
                           make_drafters(stage.drafter, options.model, stage.engine.verifier, stage.engine.paged));
  StageProgram program{kStage, engine, [&](const RunReport& report, const Session& session) {
                         return work(stage, engine.latest_drafts(), options, report, session);
                       }};
  program.clock = [&](const Session& session) { return make_clock(stage.cost, session, options); };
  program.watch = stage.watch;
  program.prompt_chunk = std::min(stage.engine.paged.scheduler.max_chunk, stage.engine.paged.token_budget);
  return serve_and_report(program, options, asked);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(kStage.program, [&] {
    CommandLine command_line(kStage);
    WorkloadOptions workload(command_line);
    ClockOptions clock(command_line);
    MetricsOptions metrics(command_line);
    EngineOptions engine(command_line, kMaxRunning);
    PagingOptions paging(command_line);
    SpeculationOptions speculation(command_line);
    StageOptions stage;
    command_line.app()
        .add_flag("--baseline", stage.baseline, "serve again without drafts, and compare")
        ->group("Speculation");
    const std::optional<Options> options = command_line.parse(argc, argv);
    if (!options) return kExitDone;
    const ContinuousOptions limits = engine.read();
    stage.engine = {
        {limits.scheduler, limits.token_budget, paging.read()}, speculation.length(), speculation.verifier()};
    stage.drafter = speculation.drafter(stage.engine.paged.pool.block_size);
    stage.cost = clock.read(*options);
    stage.watch = metrics.read();
    Asked asked = workload.read(*options);
    asked.samples = paging.samples(asked.workload.has_value());
    return run(stage, *options, asked);
  });
}
