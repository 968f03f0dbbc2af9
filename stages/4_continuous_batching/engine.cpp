/// @file
/// A scheduler and a region for each of those that run.
#include "stages/4_continuous_batching/engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/4_continuous_batching/service.h"

namespace stagecraft {

ContinuousEngine::ContinuousEngine(const ContinuousOptions& options) : options_(options) {
  if (options.token_budget < 1) {
    throw BadInput(fmt::format("a budget of {} tokens a step computes nothing", options.token_budget),
                   "1 is the smallest that works");
  }
  // Limits are refused by the one they belong to, and now rather than in the first run.
  SlotKvStore store(kv_shape({}));
  Scheduler(options.scheduler, store);
}

SlotKvShape ContinuousEngine::kv_shape(const std::vector<Job>& jobs) const {
  const int64_t longest = most_stored(jobs);
  return {
      .max_running = int(std::min<size_t>(size_t(options_.scheduler.max_running), std::max<size_t>(jobs.size(), 1))),
      .slots_per_request = std::min(longest, options_.max_length.value_or(longest))};
}

int64_t ContinuousEngine::kv_slots(const std::vector<Job>& jobs, const KvMemory&) const {
  const SlotKvShape shape = kv_shape(jobs);
  return shape.max_running * shape.slots_per_request;
}

RunLog ContinuousEngine::run(const RunInput& input) {
  SlotKvShape shape = kv_shape(input.jobs);
  shape.bytes_per_token = input.model.config().kv_bytes_per_token(input.pool.type());
  SlotKvStore store(shape);
  EngineRun run(input, store);
  Scheduler scheduler(options_.scheduler, store);
  Service(run, scheduler, options_.token_budget).serve_all();
  return run.finish();
}

}  // namespace stagecraft
