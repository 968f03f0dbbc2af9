#pragma once
/// @file
/// Stage 5, paged attention: the loop of stage 4 with another KV store. Requests no longer reserve the longest length
/// that they might reach; they take a block when they need one, share blocks where their tokens agree, and give way
/// when there is none left.
///
///     pool     [ 0 ][ 1 ][ 2 ][ 3 ][ 4 ][ 5 ][ 6 ][ 7 ]
///     A          3    0    6                              tables: any blocks, in any order
///     B          3    0    1                              the same prompt: blocks 3 and 0 are stored once
///
/// Attention changes by its addresses alone (kernels/kv_address.h), so the bits are those of stage 4.
#include "stages/4_continuous_batching/service.h"
#include "stages/5_paged_attention/block_map_recorder.h"
#include "stages/5_paged_attention/paged_pool.h"
#include "stages/5_paged_attention/paged_scheduler.h"

namespace stagecraft {

struct PagedOptions {
  SchedulerOptions scheduler;
  int64_t token_budget = 256;  // rows of a step, at most
  PagedPoolOptions pool;
};

/// The store of a run, over all blocks of its pool.
PagedKvShape kv_shape(const PagedOptions& options, const RunInput& input);

class PagedEngine final : public StageEngine {
 public:
  /// Throws BadInput for limits under which nothing could ever run.
  explicit PagedEngine(const PagedOptions& options);

  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const override;
  RunLog run(const RunInput& input) override;

 private:
  PagedOptions options_;
};

/// The loop of stage 4, watched: it records who holds which block.
class PagedService : public Service {
 public:
  PagedService(EngineRun& run, Scheduler& scheduler, int64_t token_budget, const PagedKvStore& store);

  BlockMap take_block_map() { return recorder_.take(); }

 protected:
  void planned(const StepPlan& plan) override;

 private:
  BlockMapRecorder recorder_;
};

}  // namespace stagecraft
