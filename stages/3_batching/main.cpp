/// @file
/// stage3_batching: options, run, report.
#include <CLI/CLI.hpp>

#include "stages/3_batching/engine.h"
#include "stages/3_batching/sweep.h"
#include "stages/3_batching/work.h"
#include "stages/core/clock_options.h"
#include "stages/core/parse_number.h"
#include "stages/core/program.h"
#include "stages/core/stage_program.h"
#include "stages/core/workload_options.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kStage{3, "batching", "stage3_batching",
                           "static batching: requests take their steps together, the slowest holds them all"};
constexpr int kMostPlaces = 1 << 16;

struct StageOptions {
  int batch = 1;
  bool sweep = false;
  std::optional<CostModel> cost;
};

std::vector<WorkLine> work(const StageOptions& stage, const Options& options, const RunReport& report,
                           const Session& session) {
  const StepBytes bytes{session.model->weights().bytes_per_forward, session.config.kv_bytes_per_token(options.kv_type)};
  std::vector<WorkLine> lines = batching_work(report, bytes);
  if (stage.cost) lines.push_back({"virtual clock", "", describe(cost_of_model(*stage.cost, session, options))});
  if (stage.sweep) {
    for (WorkLine& line : sweep_batch_sizes(session, report, options.kv_type, stage.batch)) lines.push_back(line);
  }
  return lines;
}

int run(const StageOptions& stage, const Options& options, const Asked& asked) {
  StaticBatchEngine engine(stage.batch);
  StageProgram program{kStage, engine, [&](const RunReport& report, const Session& session) {
                         return work(stage, options, report, session);
                       }};
  program.clock = [&](const Session& session) { return make_clock(stage.cost, session, options); };
  return serve_and_report(program, options, asked);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(kStage.program, [&] {
    CommandLine command_line(kStage);
    WorkloadOptions workload(command_line);
    ClockOptions clock(command_line);
    StageOptions stage;
    std::string batch = "8";
    command_line.app()
        .add_option("--batch", batch, "at most N requests take their steps together")
        ->type_name("N")
        ->capture_default_str();
    command_line.app().add_flag("--sweep", stage.sweep, "serve them again at every power of two up to --batch");
    const std::optional<Options> options = command_line.parse(argc, argv);
    if (!options) return kExitDone;
    stage.batch = parse_number("--batch", batch, 1, kMostPlaces);
    stage.cost = clock.read(*options);
    return run(stage, *options, workload.read(*options));
  });
}
