/// @file
/// stage4_continuous_batching: options, run, report.
#include <algorithm>

#include "stages/4_continuous_batching/alternatives.h"
#include "stages/4_continuous_batching/engine.h"
#include "stages/4_continuous_batching/engine_options.h"
#include "stages/4_continuous_batching/work.h"
#include "stages/core/clock_options.h"
#include "stages/core/metrics_options.h"
#include "stages/core/program.h"
#include "stages/core/stage_program.h"
#include "stages/core/workload_options.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kStage{4, "continuous_batching", "stage4_continuous_batching",
                           "continuous batching: requests join and leave at every step"};

std::vector<WorkLine> work(const ContinuousOptions& stage, const std::optional<CostModel>& cost, const Options& options,
                           const RunReport& report, const Session& session) {
  std::vector<WorkLine> lines = continuous_work(report);
  if (!cost) return lines;
  const CostModel of_model = cost_of_model(*cost, session, options);
  lines.push_back({"virtual clock", "", describe(of_model)});
  for (WorkLine& line : alternative_schedules(session.jobs, report.log, stage, of_model))
    lines.push_back(std::move(line));
  return lines;
}

int run(const ContinuousOptions& stage, const std::optional<CostModel>& cost, const WatchSettings& watch,
        const Options& options, const Asked& asked) {
  ContinuousEngine engine(stage);
  StageProgram program{kStage, engine, [&](const RunReport& report, const Session& session) {
                         return work(stage, cost, options, report, session);
                       }};
  program.clock = [&](const Session& session) { return make_clock(cost, session, options); };
  program.watch = watch;
  program.prompt_chunk = std::min(stage.scheduler.max_chunk, stage.token_budget);
  return serve_and_report(program, options, asked);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(kStage.program, [&] {
    CommandLine command_line(kStage);
    WorkloadOptions workload(command_line);
    ClockOptions clock(command_line);
    MetricsOptions metrics(command_line);
    EngineOptions engine(command_line);
    engine.add_max_length();
    const std::optional<Options> options = command_line.parse(argc, argv);
    if (!options) return kExitDone;
    return run(engine.read(), clock.read(*options), metrics.read(), *options, workload.read(*options));
  });
}
