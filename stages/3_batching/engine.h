#pragma once
/// @file
/// Stage 3, static batching: several requests take their steps together, so that the weights are read once for all of
/// them. Nobody joins a batch that has begun, and nobody's place is free before the last has ended.
///
///     step      1        2   3   4   5   6   7   8
///     A     [prompt    ] a   a   a   a   a   a   a
///     B     [prompt]     b   b   .   .   .   .   .      . padded: a place held for nothing
///     C     [prompt      ] c c   c   c   c   .   .
///     D                                             D waits until A has ended
///
/// Inside a step the batch is ragged: prompts of different lengths lie one after the other, nothing is filled up, and a
/// place whose request has ended is left out of the pass. What the lock step costs is time (D waits) and memory (the
/// K/V regions of B and C stay taken). A row's bits do not depend on its neighbours (EXACTNESS R1 - R3), so a request
/// gets the tokens it would get alone.
#include <vector>

#include "stages/core/engine_run.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

class StaticBatchEngine final : public StageEngine {
 public:
  /// At most `batch` requests take their steps together. Throws BadInput if that is below 1.
  explicit StaticBatchEngine(int batch);

  /// The longest request's slots, once for each place.
  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory&) const override;
  RunLog run(const RunInput& input) override;

 private:
  int places(const std::vector<Job>& jobs) const;

  int batch_;
};

}  // namespace stagecraft
