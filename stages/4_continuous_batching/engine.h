#pragma once
/// @file
/// Stage 4, continuous batching: the loop of all stages around the Scheduler. A request joins at the step after its
/// arrival and its place is free again at the step after its end.
///
///     step      1        2          3            4        5   6        7
///     A     [prompt    ] a          a            a        a   a        a
///     B     [prompt]     b          b   done
///     C     [prompt      c          c            c        c   c   done
///     D                             arrives  [prompt .. | ..] d        d      in chunks, as the budget allows
///
/// A step computes at most `token_budget` rows. Those that write are served first, a row each; what is left goes to
/// prompts, so a long one is computed in chunks, and nobody waits for all of it. The price is paid by the prompt: its
/// first token comes later than if it had a step to itself.
#include <optional>
#include <vector>

#include "stages/4_continuous_batching/scheduler.h"
#include "stages/core/engine_run.h"
#include "stages/core/slot_kv_store.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

struct ContinuousOptions {
  SchedulerOptions scheduler;
  int64_t token_budget = 256;              // rows of a step, at most
  std::optional<int64_t> max_length = {};  // tokens a request may store; absent: as many as the longest needs
};

class ContinuousEngine final : public StageEngine {
 public:
  /// Throws BadInput for limits under which nothing could ever run.
  explicit ContinuousEngine(const ContinuousOptions& options);

  /// Slots of the longest request that is allowed, once for each that may run.
  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory&) const override;
  RunLog run(const RunInput& input) override;

 private:
  SlotKvShape kv_shape(const std::vector<Job>& jobs) const;

  ContinuousOptions options_;
};

}  // namespace stagecraft
