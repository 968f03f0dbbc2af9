/// @file
/// Who is in a batch, and the loop that runs it to the end of its slowest request.
#include "stages/3_batching/engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/slot_kv_store.h"

namespace stagecraft {
namespace {

using Batch = std::vector<Generation*>;

/// Those at the head of the queue that have come by now, at most `places`. `next` moves behind them.
Batch gather(EngineRun& run, size_t& next, int places) {
  Batch batch;
  for (; next < run.requests().size() && batch.size() < size_t(places); ++next) {
    Generation& generation = run.requests()[next];
    if (run.is_over(generation)) continue;
    if (!run.has_arrived(generation.request())) break;
    batch.push_back(&generation);
  }
  return batch;
}

/// All that is pending of those that have not ended.
StepPlan plan_step(EngineRun& run, const Batch& batch, KvStore& store) {
  StepPlan plan;
  for (Generation* generation : batch) {
    Request& request = generation->request();
    if (run.is_over(*generation)) {
      store.truncate(request, 0);  // nobody reads it again, though its region stays taken
      continue;
    }
    check(store.reserve(request, int64_t(request.tokens.size())), "a region holds the longest request");
    plan.items.push_back(catch_up(request));
  }
  return plan;
}

void serve(EngineRun& run, const Batch& batch, KvStore& store) {
  //! [lock step]
  for (;;) {
    const StepPlan plan = plan_step(run, batch, store);
    if (plan.empty()) break;
    run.forward(plan);
    run.latest_step().padded_slots = int64_t(batch.size() - plan.items.size());
    run.deliver(plan, run.sample(plan));
    advance(plan);
  }
  for (Generation* generation : batch) store.release(generation->request());
  //! [lock step]
}

}  // namespace

StaticBatchEngine::StaticBatchEngine(int batch) : batch_(batch) {
  if (batch >= 1) return;
  throw BadInput(fmt::format("a batch of {} requests serves nobody", batch), "1 is the smallest that works");
}

int StaticBatchEngine::places(const std::vector<Job>& jobs) const {
  return int(std::clamp<size_t>(jobs.size(), 1, size_t(batch_)));
}

int64_t StaticBatchEngine::kv_slots(const std::vector<Job>& jobs, const KvMemory&) const {
  return places(jobs) * most_stored(jobs);
}

RunLog StaticBatchEngine::run(const RunInput& input) {
  SlotKvStore store({.max_running = places(input.jobs),
                     .slots_per_request = most_stored(input.jobs),
                     .bytes_per_token = input.model.config().kv_bytes_per_token(input.pool.type())});
  EngineRun run(input, store);
  for (size_t next = 0; next < run.requests().size();) {
    const Generation& first = run.requests()[next];
    if (!first.finished()) run.wait_for(first.request());
    Batch batch = gather(run, next, places(input.jobs));
    for (Generation* generation : batch) check(store.reserve(generation->request(), 0), "there is a region a place");
    serve(run, batch, store);
  }
  return run.finish();
}

}  // namespace stagecraft
