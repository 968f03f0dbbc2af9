/// @file
/// A paged store, a scheduler that preempts, and the loop of stage 4.
#include "stages/5_paged_attention/engine.h"

#include "stages/4_continuous_batching/engine.h"

namespace stagecraft {

PagedKvShape kv_shape(const PagedOptions& options, const RunInput& input) {
  return {.blocks = input.pool.slots() / options.pool.block_size,
          .block_size = options.pool.block_size,
          .bytes_per_token = input.model.config().kv_bytes_per_token(input.pool.type()),
          .prefix_cache = options.pool.prefix_cache};
}

PagedService::PagedService(EngineRun& run, Scheduler& scheduler, int64_t token_budget, const PagedKvStore& store)
    : Service(run, scheduler, token_budget), recorder_(store) {}

void PagedService::planned(const StepPlan&) { recorder_.record(run().now()); }

PagedEngine::PagedEngine(const PagedOptions& options) : options_(options) {
  ContinuousEngine({.scheduler = options.scheduler, .token_budget = options.token_budget});  // refuses its own limits
  validate(options.pool);
}

int64_t PagedEngine::kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const {
  return pool_blocks(options_.pool, jobs, memory) * options_.pool.block_size;
}

//! [run]
RunLog PagedEngine::run(const RunInput& input) {
  PagedKvStore store(kv_shape(options_, input));
  EngineRun run(input, store);
  PagedScheduler scheduler(options_.scheduler, store, watermark_blocks(options_.pool, store.blocks()));
  PagedService service(run, scheduler, options_.token_budget, store);
  service.serve_all();
  RunLog log = run.finish();
  log.block_map = service.take_block_map();
  return log;
}
//! [run]

}  // namespace stagecraft
