#include "stages/5_paged_attention/reserve_max.h"

#include <algorithm>

#include <fmt/format.h>

#include "stages/4_continuous_batching/work.h"
#include "stages/core/same_output.h"

namespace stagecraft {
namespace {

/// Requests in a step, on average over the steps.
double concurrency(const RunLog& log) {
  const StepMix mix = step_mix(log);
  return mix.steps ? double(mix.requests) / double(mix.steps) : 0;
}

WorkLine side_by_side(std::string name, const std::string& reserved, const std::string& paged) {
  return {std::move(name), reserved, fmt::format("with pages {}", paged)};
}

}  // namespace

std::vector<WorkLine> reserve_max_lines(const RunReport& paged, const Session& session, const ContinuousOptions& limits,
                                        int64_t kv_bytes, NumberType kv_type, EngineClock& clock) {
  const int64_t region = most_stored(session.jobs) * session.config.kv_bytes_per_token(kv_type);
  const int64_t places = std::min<int64_t>(kv_bytes / region, limits.scheduler.max_running);
  if (places == 0) {
    return {{"reserve-max", "cannot run", fmt::format("{} bytes hold no request of the longest length", kv_bytes)}};
  }
  ContinuousOptions options = limits;
  options.scheduler.max_running = int(places);
  ContinuousEngine engine(options);
  const RunLog log = session.run_jobs(engine, kv_type, clock);
  check_same_output(log, "reserve-max", paged.log, "paged");

  const double rate = totals_of(log, {}, 0, {}).output_tokens_per_s.value_or(0);
  return {side_by_side("reserve-max: waste", fmt::format("{:.1f} %", 100 * kv_waste(log.steps)),
                       fmt::format("{:.1f} %: held and not used, mean over steps", 100 * kv_waste(paged.log.steps))),
          side_by_side("reserve-max: requests", fmt::format("{:.1f}", concurrency(log)),
                       fmt::format("{:.1f}: in a step, on average; {} places of {} tokens in the same memory",
                                   concurrency(paged.log), places, most_stored(session.jobs))),
          side_by_side("reserve-max: tok/s", fmt::format("{:.1f}", rate),
                       fmt::format("{:.1f}", paged.totals.output_tokens_per_s.value_or(0)))};
}

}  // namespace stagecraft
