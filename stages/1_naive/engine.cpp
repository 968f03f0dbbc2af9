/// @file
/// The loop that all stages share, plan -> forward -> sample -> commit, and the one line that makes it naive.
#include "stages/1_naive/engine.h"

#include "kernels/check.h"
#include "stages/core/slot_kv_store.h"

namespace stagecraft {

int64_t NaiveEngine::kv_slots(const std::vector<Job>& jobs, const KvMemory&) const { return most_stored(jobs); }

RunLog NaiveEngine::run(const RunInput& input) {
  SlotKvStore store({.max_running = 1,
                     .slots_per_request = most_stored(input.jobs),
                     .bytes_per_token = input.model.config().kv_bytes_per_token(input.pool.type())});
  EngineRun run(input, store);
  for (Generation& generation : run.requests()) {
    if (generation.finished()) continue;  // refused, or asked for nothing
    run.wait_for(generation.request());
    serve(generation, run, store);
    store.release(generation.request());
  }
  return run.finish();
}

void NaiveEngine::serve(Generation& generation, EngineRun& run, KvStore& store) const {
  Request& request = generation.request();
  while (!run.is_over(generation)) {
    before_step(request);
    const StepPlan plan{{catch_up(request)}};
    check(store.reserve(request, int64_t(request.tokens.size())), "the pool holds the longest request");
    run.forward(plan);
    run.deliver(plan, run.sample(plan));
    advance(plan);
  }
}

void NaiveEngine::before_step(Request& request) const {
  //! [forget]
  request.num_computed = 0;
  //! [forget]
}

}  // namespace stagecraft
