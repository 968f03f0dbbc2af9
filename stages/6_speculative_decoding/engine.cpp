/// @file
/// Stage 5 with a drafter.
#include "stages/6_speculative_decoding/engine.h"

#include <utility>

#include "stages/5_paged_attention/engine.h"

namespace stagecraft {

SpeculativeEngine::SpeculativeEngine(const SpeculativeOptions& options, MakeDrafter make_drafter)
    : options_(options), make_drafter_(std::move(make_drafter)) {
  // Limits are refused by those they belong to, and now rather than in the first run.
  PagedEngine{options.paged};
  DraftLength{options.length};
}

int64_t SpeculativeEngine::kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const {
  return PagedEngine(options_.paged).kv_slots(jobs, memory);
}

RunLog SpeculativeEngine::run(const RunInput& input) {
  const std::unique_ptr<Drafter> drafter = make_drafter_(input);
  GuardedDrafter guarded(*drafter, input.model.config().vocabulary);
  PagedKvStore store(kv_shape(options_.paged, input));
  EngineRun run(input, store);
  PagedScheduler scheduler(options_.paged.scheduler, store, watermark_blocks(options_.paged.pool, store.blocks()));
  SpeculativeService service(run, scheduler, options_.paged.token_budget, store, guarded, options_.length,
                             options_.verifier);
  service.serve_all();
  latest_ = {guarded.describe(), guarded.work(), guarded.complaint()};
  RunLog log = run.finish();
  log.block_map = service.take_block_map();
  return log;
}

}  // namespace stagecraft
