#pragma once
/// @file
/// Around each step of the paged loop: draft before it is planned, verify after it has been computed.
///
///     before_plan   who has one pending token (it writes) gets a draft: Request::draft
///     plan          the scheduler adds what fits of it to the step: 1 + k rows, all with logits
///     draw          the target's tokens for these rows; the verifier says how many count
///     commit        the scheduler forgets what was stored for the rest (R7: rewind is truncation)
#include <unordered_map>

#include "stages/5_paged_attention/engine.h"
#include "stages/6_speculative_decoding/draft_length.h"
#include "stages/6_speculative_decoding/guarded_drafter.h"
#include "stages/6_speculative_decoding/verification.h"

namespace stagecraft {

enum class Verifier {
  exact_match,        // accepts what the target samples: the bits of stage 1
  rejection_sampling  // accepts more of a drafter's own dice: the distribution of stage 1
};

class SpeculativeService : public PagedService {
 public:
  /// What is referred to must outlive the service.
  SpeculativeService(EngineRun& run, Scheduler& scheduler, int64_t token_budget, const PagedKvStore& store,
                     GuardedDrafter& drafter, const DraftLengthOptions& length, Verifier verifier);

 protected:
  void before_plan() override;
  DrawnTokens draw(const StepPlan& plan) override;
  void has_ended(const Request& request) override;

 private:
  void keep_what_matches(const StepPlan& plan, DrawnTokens& drawn);
  void reject_or_keep(const StepPlan& plan, DrawnTokens& drawn);

  GuardedDrafter& drafter_;
  DraftLength length_;
  Verifier verifier_;
  std::unordered_map<int, Draft> drafts_;  // by request id, of the step under way
  double draft_ms_ = 0;
};

}  // namespace stagecraft
