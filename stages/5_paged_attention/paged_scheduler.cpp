#include "stages/5_paged_attention/paged_scheduler.h"

namespace stagecraft {

PagedScheduler::PagedScheduler(const SchedulerOptions& options, PagedKvStore& store, int64_t watermark_blocks)
    : Scheduler(options, store), store_(store), watermark_blocks_(watermark_blocks) {}

bool PagedScheduler::lets_in(const Request& newcomer) {
  const int64_t needed = store_.blocks_needed(newcomer, int64_t(newcomer.tokens.size()));
  return store_.available_blocks() - needed >= watermark_blocks_;
}

bool PagedScheduler::make_room(const Request&) {
  const std::vector<Request*> candidates = preemptible();
  if (candidates.size() < 2) return false;  // alone, or all others are in the step already
  preempt(*candidates.back());
  return true;
}

}  // namespace stagecraft
