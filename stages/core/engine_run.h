#pragma once
/// @file
/// One run of an engine: the requests being served, and the verbs of the loop that all six stages share. A stage
/// decides who computes what (the plan) and when memory is given back; the rest is done here, the same way for all.
///
///     plan      StepPlan                            the stage's own
///     forward   StepPlan + KvStore -> ForwardBatch -> model -> logits
///     sample    one token for each row of logits
///     commit    deliver(): tokens to their requests and clients; num_computed advances
#include <deque>
#include <unordered_map>
#include <vector>

#include "stages/core/forward_batch.h"
#include "stages/core/generation.h"
#include "stages/core/kv_store.h"
#include "stages/core/stage_engine.h"
#include "stages/core/step_plan.h"

namespace stagecraft {

/// The tokens that a step has drawn, for each of its items. Of an item with a draft, only those that count: the guesses
/// that were right, and the token after them.
using DrawnTokens = std::vector<std::vector<TokenId>>;

/// The rows of `plan`, with the places that `store` has reserved for them.
ForwardBatch make_batch(const StepPlan& plan, const KvStore& store);

class EngineRun {
 public:
  /// Starts the clock. Requests that `store` can never hold, and those without a prompt, are refused.
  EngineRun(const RunInput& input, KvStore& store);

  /// All requests, in the order of arrival; they stay where they are in memory.
  std::deque<Generation>& requests() { return requests_; }
  Generation& generation(const Request& request) { return requests_[size_t(request.id)]; }
  const Job& job(const Request& request) const { return input_.jobs[size_t(request.id)]; }

  bool has_arrived(const Request& request) const { return arrival(request) <= input_.clock.now(); }
  /// Returns when `request` is there, or when it has been cancelled before it came.
  void wait_for(const Request& request);
  /// Whether it is over for `generation`: it has ended, or somebody wants it to, and then it ends here.
  bool is_over(Generation& generation);

  /// Computes the rows of `plan`, after the copies that the store asks for, and starts the record of this step.
  void forward(const StepPlan& plan);
  /// Draws a token for each row of logits of the step. Throws Failure if they hold a NaN or no finite value.
  DrawnTokens sample(const StepPlan& plan);
  /// Gives each request its tokens of `drawn`, unless it has ended meanwhile, and closes the record.
  void deliver(const StepPlan& plan, const DrawnTokens& drawn);

  Model& model() const { return input_.model; }
  TimePoint now() const { return input_.clock.now(); }

  /// The record of the latest step, for what only the stage knows.
  StepRecord& latest_step() { return log_.steps.back(); }
  /// The log of everything; the run is over.
  RunLog finish();

 private:
  TimePoint arrival(const Request& request) const;
  StepPart part_of(const StepItem& item);

  const RunInput& input_;
  KvStore& store_;
  std::deque<Generation> requests_;
  std::vector<int64_t> furthest_;  // (requests) tokens that some pass has computed: the rest of them is new
  RunLog log_;
};

/// Stages without a scheduler advance their requests themselves: what was planned is now computed.
void advance(const StepPlan& plan);

/// All that is pending of `request`, with logits for its last row.
StepItem catch_up(Request& request);

}  // namespace stagecraft
