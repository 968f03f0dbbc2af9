/// @file
/// stage5_paged_attention: options, run, report.
#include <algorithm>

#include <CLI/CLI.hpp>

#include "stages/4_continuous_batching/engine_options.h"
#include "stages/5_paged_attention/engine.h"
#include "stages/5_paged_attention/paging_options.h"
#include "stages/5_paged_attention/reserve_max.h"
#include "stages/5_paged_attention/work.h"
#include "stages/core/clock_options.h"
#include "stages/core/metrics_options.h"
#include "stages/core/program.h"
#include "stages/core/stage_program.h"
#include "stages/core/workload_options.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kStage{5, "paged_attention", "stage5_paged_attention",
                           "paged attention: K/V in blocks, shared where prompts agree"};
constexpr int kMaxRunning = 64;  // blocks, not places, are what is scarce

struct StageOptions {
  ContinuousOptions limits;
  PagedPoolOptions pool;
  std::optional<CostModel> cost;
  WatchSettings watch;
  bool reserve_max = false;
};

std::vector<WorkLine> work(const StageOptions& stage, const PagedEngine& engine, const Options& options,
                           const RunReport& report, const Session& session) {
  std::vector<WorkLine> lines = paged_work(report);
  if (stage.cost) lines.push_back({"virtual clock", "", describe(cost_of_model(*stage.cost, session, options))});
  if (!stage.reserve_max) return lines;
  const KvMemory memory = kv_memory_of(*session.model, options.kv_type);
  const int64_t kv_bytes = engine.kv_slots(session.jobs, memory) * memory.bytes_per_token;
  const std::unique_ptr<EngineClock> clock = make_clock(stage.cost, session, options);
  for (WorkLine& line : reserve_max_lines(report, session, stage.limits, kv_bytes, options.kv_type, *clock)) {
    lines.push_back(std::move(line));
  }
  return lines;
}

int run(const StageOptions& stage, const Options& options, const Asked& asked) {
  PagedEngine engine({stage.limits.scheduler, stage.limits.token_budget, stage.pool});
  StageProgram program{kStage, engine, [&](const RunReport& report, const Session& session) {
                         return work(stage, engine, options, report, session);
                       }};
  program.clock = [&](const Session& session) { return make_clock(stage.cost, session, options); };
  program.watch = stage.watch;
  program.prompt_chunk = std::min(stage.limits.scheduler.max_chunk, stage.limits.token_budget);
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
    StageOptions stage;
    command_line.app()
        .add_flag("--reserve-max", stage.reserve_max,
                  "serve again with the longest length reserved for each, and compare")
        ->group("Paging");
    const std::optional<Options> options = command_line.parse(argc, argv);
    if (!options) return kExitDone;
    stage.limits = engine.read();
    stage.pool = paging.read();
    stage.cost = clock.read(*options);
    stage.watch = metrics.read();
    Asked asked = workload.read(*options);
    asked.samples = paging.samples(asked.workload.has_value());
    return run(stage, *options, asked);
  });
}
