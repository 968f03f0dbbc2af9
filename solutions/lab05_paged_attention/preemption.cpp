/// @file
/// Lab 5, task 4: who is let in, and who gives way. The class is the engine's (stages/5_paged_attention/paged_scheduler.h),
/// and these functions replace the engine's in its program; the contract: labs/lab05_paged_attention/include/paging.h.
#include <algorithm>

#include "labs/support/todo.h"
#include "paging.h"
#include "stages/5_paged_attention/paged_scheduler.h"

namespace stagecraft {

PagedScheduler::PagedScheduler(const SchedulerOptions& options, PagedKvStore& store, int64_t watermark_blocks)
    : Scheduler(options, store), store_(store), watermark_blocks_(watermark_blocks) {}

bool PagedScheduler::lets_in(const Request& newcomer) {
  // >>> LAB lab05.t4/lets_in  about 2 lines   (edit only between the arrows)
  // TODO(lab05.t4): store_.blocks_needed(newcomer, upto) says what room for so many positions takes,
  // store_.available_blocks() what there is.
  const int64_t needed = store_.blocks_needed(newcomer, int64_t(newcomer.tokens.size()));
  return store_.available_blocks() - needed >= watermark_blocks_;
  // <<< LAB lab05.t4/lets_in
}

bool PagedScheduler::make_room(const Request&) {
  // >>> LAB lab05.t4/make_room  about 4 lines   (edit only between the arrows)
  // TODO(lab05.t4): preemptible() lists whom you may choose, in the order in which they were let in; preempt(request) gives
  // its blocks back and puts it into the queue again. True: plan() asks the store once more.
  const std::vector<Request*> candidates = preemptible();
  if (candidates.size() < 2) return false;  // alone, or all others are in the step already
  preempt(*candidates.back());
  return true;
  // <<< LAB lab05.t4/make_room
}

}  // namespace stagecraft

namespace lab05 {

PreemptionCost preemption_cost(const BlockPool& pool, std::span<const BlockId> table, int64_t computed,
                               int64_t block_size, bool prefix_cache) {
  // >>> LAB lab05.t4/cost  about 4 lines   (edit only between the arrows)
  // TODO(lab05.t4): which blocks of the table become available? What is found again when the request comes back?
  PreemptionCost cost;
  cost.blocks = std::count_if(table.begin(), table.end(), [&](BlockId block) { return pool.references(block) == 1; });
  cost.tokens = prefix_cache ? computed % block_size : computed;
  return cost;
  // <<< LAB lab05.t4/cost
}

}  // namespace lab05
