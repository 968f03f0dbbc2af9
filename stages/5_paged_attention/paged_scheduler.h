#pragma once
/// @file
/// Continuous batching on pages. Blocks are given out as requests grow, so more are let in than the pool could hold to
/// their end, and it may run full in the middle. Then one of them is preempted: its blocks go, its tokens stay, and
/// later it is computed again from its first token on (or from what the prefix cache still has of it). Recomputing was
/// found to be cheaper than moving K/V away and back (vLLM; Kwon et al. 2023, section 4.5).
///
/// Victim: who was let in last. So the oldest always gets on, and everybody becomes the oldest one day: no livelock. A
/// request that is alone is never preempted: that it fits was checked when it came.
///
/// The watermark keeps some blocks free for those that run already: a newcomer that takes the last one would be thrown
/// out at the next step, and its prompt would have been computed for nothing.
#include "stages/4_continuous_batching/scheduler.h"
#include "stages/5_paged_attention/paged_kv_store.h"

namespace stagecraft {

class PagedScheduler final : public Scheduler {
 public:
  /// `store` must outlive the scheduler. `watermark_blocks` stay available when a request is let in beside others.
  PagedScheduler(const SchedulerOptions& options, PagedKvStore& store, int64_t watermark_blocks);

 protected:
  /// If the newcomer's known tokens fit, all of them, and the watermark is kept.
  bool lets_in(const Request& newcomer) override;
  bool make_room(const Request& needy) override;

 private:
  PagedKvStore& store_;
  int64_t watermark_blocks_;
};

}  // namespace stagecraft
