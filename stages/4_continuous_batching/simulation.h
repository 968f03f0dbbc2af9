#pragma once
/// @file
/// A schedule without a model: what static and continuous batching make of a workload, on a virtual clock.
///
/// The scheduler is the real one; only the forward pass is replaced, by a cost model. So queue time, TTFT, ITL and E2E
/// of a schedule are exact, and cheap to ask for: thousands of requests a second. What comes back is an ordinary
/// RunLog.
///
///     static       A ######        continuous   A ######
///                  B ##....                     B ##D###
///                  C ####..  D ..               C ####EE      # a token   . a slot held for nothing
#include <optional>

#include "stages/4_continuous_batching/scheduler.h"
#include "stages/core/cost_model.h"
#include "stages/core/run_log.h"
#include "stages/core/workload.h"

namespace stagecraft {

enum class BatchingKind {
  lock_step,  // stage 3: up to max_running of those that have arrived; nobody joins or leaves until the last has ended
  continuous  // stage 4
};

struct SimulationOptions {
  static constexpr int64_t kNoBudget = SchedulerOptions::kWholePrompt;

  BatchingKind kind = BatchingKind::continuous;
  CostModel cost;
  SchedulerOptions scheduler;                  // of these, lock step knows only max_running
  int64_t step_tokens = kNoBudget;             // token budget; not for lock step
  std::optional<int64_t> kv_per_request = {};  // longest request stored; absent: as long as the workload's longest
};

struct SimulationResult {
  RunLog log;                // output_ids are zeros; of steps only the forward pass takes time
  int64_t padded_slots = 0;  // slots of a lock-step batch, summed over steps, whose request had already ended

  int64_t steps() const { return int64_t(log.steps.size()); }
  int64_t duration_ns() const;
};

/// Serves all of `workload`. Requests that can never fit are in the log as refused, the others are served. Throws
/// BadInput if the workload or an option makes no sense.
SimulationResult simulate(const Workload& workload, const SimulationOptions& options);

}  // namespace stagecraft
