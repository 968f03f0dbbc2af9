#pragma once
/// @file
/// Stages 5 and 6 under a magnifying glass: the same parts, put together in the same way, and before every step
///
///   - the scheduler's and the store's books are checked;
///   - blocks that nobody holds any more are filled with NaN, so that a stale table cannot go unnoticed.
///
/// What the log does not tell (copies on write, evictions) is counted. After a run the store must be empty.
#include "stages/6_speculative_decoding/engine.h"

namespace stagecraft::testing {

class WatchedEngine final : public StageEngine {
 public:
  /// Without `make_drafter` it is stage 5.
  WatchedEngine(const SpeculativeOptions& options, MakeDrafter make_drafter);

  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const override;
  RunLog run(const RunInput& input) override;

  /// Of the latest run.
  const SharingCounts& sharing() const { return sharing_; }
  int64_t poisoned_blocks() const { return poisoned_blocks_; }

 private:
  SpeculativeOptions options_;
  MakeDrafter make_drafter_;
  SharingCounts sharing_;
  int64_t poisoned_blocks_ = 0;
};

}  // namespace stagecraft::testing
