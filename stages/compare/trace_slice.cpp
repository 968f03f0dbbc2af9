#include "stages/compare/trace_slice.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "stages/3_batching/engine.h"
#include "stages/4_continuous_batching/engine.h"
#include "stages/4_continuous_batching/simulation.h"
#include "stages/compare/prediction.h"
#include "stages/core/same_output.h"
#include "stages/core/workload_options.h"
#include "stages/core/workload_reader.h"

namespace stagecraft {
namespace {

constexpr int64_t kStepNs = 1'000'000;  // of the constant step: times are then counts of steps
constexpr StageInfo kStatic{3, "batching", "", ""}, kContinuous{4, "continuous_batching", "", ""};

std::filesystem::path conversation_trace() {
  std::error_code ignored;
  const std::filesystem::path name = "azure2023_conversation_1000.csv", in_source_tree = STAGECRAFT_WORKLOADS / name;
  return std::filesystem::exists(in_source_tree, ignored) ? in_source_tree : "workloads" / name;
}

ContinuousOptions continuous_options(int batch) {
  ContinuousOptions options;
  options.scheduler.max_running = batch;
  return options;
}

double duration_ms(const RunLog& log) { return milliseconds(log.start, log.end); }

SliceRow simulated(const Workload& workload, int batch) {
  const ContinuousOptions continuous = continuous_options(batch);
  SimulationOptions how{.cost = CostModel::constant_step(kStepNs),
                        .scheduler = continuous.scheduler,
                        .step_tokens = continuous.token_budget};
  SliceRow row{"constant step, simulated", 0, 0, std::nullopt};
  row.continuous_ms = duration_ms(simulate(workload, how).log);
  how.kind = BatchingKind::lock_step;
  row.static_ms = duration_ms(simulate(workload, how).log);
  return row;
}

RunLog run_on_constant_step(StageEngine& engine, const Options& options, const Session& session) {
  CostClock clock(CostModel::constant_step(kStepNs));
  return session.run_jobs(engine, options.kv_type, clock);
}

SliceRow wall_row(const StageRuns& fixed, const StageRuns& continuous) {
  std::vector<double> ratios;
  for (size_t round = 0; round < fixed.rounds.size(); ++round) {
    ratios.push_back(fixed.rounds[round].totals.duration_ms / continuous.rounds[round].totals.duration_ms);
  }
  std::sort(ratios.begin(), ratios.end());
  const Spread spread{percentile(ratios, 50), ratios.front(), ratios.back()};
  const Metric duration = metric_of("duration_ms");
  return {"wall", spread_of(duration, fixed)->median, spread_of(duration, continuous)->median, spread.percent()};
}

}  // namespace

std::vector<Workload> conversation_slices() {
  Workload slice = read_workload(conversation_trace(), size_t(kSliceRequests));
  set_arrivals(slice, {.per_second = ArrivalSpec::kAllAtOnce}, 0);
  shrink_lengths(slice, kSliceDivisor);
  slice.name += fmt::format(", {} requests at once, lengths / {}", slice.requests.size(), kSliceDivisor);
  Workload decoding = slice;
  decoding.name += ", prompts of one token";
  for (WorkloadRequest& request : decoding.requests) request.prompt_tokens = 1;
  return {std::move(decoding), std::move(slice)};
}

TraceSlice compare_on_slice(const Workload& workload, int batch, int repeat, const std::optional<Roofline>& roofline,
                            const Options& options, const Session& session, const InterruptWatch& interrupt) {
  TraceSlice slice{fmt::format("{}, {} places", workload.name, batch), {simulated(workload, batch)}};
  std::vector<Contestant> both;
  both.push_back({kStatic, std::make_unique<StaticBatchEngine>(batch)});
  both.push_back({kContinuous, std::make_unique<ContinuousEngine>(continuous_options(batch))});

  const RunLog fixed = run_on_constant_step(*both[0].engine, options, session);
  const RunLog continuous = run_on_constant_step(*both[1].engine, options, session);
  check_same_output(fixed, name_of(kStatic), continuous, name_of(kContinuous));
  slice.rows.push_back({"constant step, the engines", duration_ms(fixed), duration_ms(continuous), std::nullopt});
  if (roofline) {
    slice.rows.push_back({"roofline", duration_ms(retimed(fixed, *roofline)),
                          duration_ms(retimed(continuous, *roofline)), std::nullopt});
  }
  const std::vector<StageRuns> timed = run_in_turns(both, repeat, options, session, interrupt);
  slice.rows.push_back(wall_row(timed[0], timed[1]));
  return slice;
}

}  // namespace stagecraft
