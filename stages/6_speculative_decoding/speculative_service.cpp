#include "stages/6_speculative_decoding/speculative_service.h"

#include "stages/6_speculative_decoding/rejection_sampling.h"

namespace stagecraft {
namespace {

/// How the token at `position` of the request is drawn.
SamplingRow sampling_at(const Request& request, int64_t position) {
  const SamplingParams& how = request.sampling;
  return {how.temperature, how.top_k, how.top_p, how.seed, position};
}

}  // namespace

SpeculativeService::SpeculativeService(EngineRun& run, Scheduler& scheduler, int64_t token_budget,
                                       const PagedKvStore& store, GuardedDrafter& drafter,
                                       const DraftLengthOptions& length, Verifier verifier)
    : PagedService(run, scheduler, token_budget, store), drafter_(drafter), length_(length), verifier_(verifier) {}

void SpeculativeService::before_plan() {
  drafts_.clear();
  std::vector<Request*> writers;
  std::vector<int> lengths;
  for (Generation* generation : live()) {
    Request& request = generation->request();
    if (request.pending() != 1 || request.num_computed == 0) continue;  // it reads its prompt, or waits
    writers.push_back(&request);
    lengths.push_back(length_.next(request));
  }
  const TimePoint start = run().now();
  const std::vector<const Request*> asked(writers.begin(), writers.end());
  std::vector<Draft> drafts = drafter_.propose(asked, lengths);
  draft_ms_ = milliseconds(start, run().now());
  for (size_t i = 0; i < writers.size(); ++i) {
    writers[i]->draft = drafts[i].tokens;
    drafts_[writers[i]->id] = std::move(drafts[i]);
  }
}

DrawnTokens SpeculativeService::draw(const StepPlan& plan) {
  run().latest_step().draft_ms = draft_ms_;
  DrawnTokens drawn = run().sample(plan);  // also where it is judged otherwise: it checks that the logits are sound
  if (verifier_ == Verifier::exact_match) {
    keep_what_matches(plan, drawn);
  } else {
    reject_or_keep(plan, drawn);
  }
  for (size_t i = 0; i < drawn.size(); ++i) {
    const int64_t drafted = plan.items[i].drafted;
    if (drafted > 0) length_.observe(*plan.items[i].request, int(drafted), int(drawn[i].size()) - 1);
  }
  return drawn;
}

//! [verify]
void SpeculativeService::keep_what_matches(const StepPlan& plan, DrawnTokens& drawn) {
  std::vector<TokenId> draft;  // (logit rows) what was guessed to follow each row
  std::vector<int32_t> row_start{0};
  std::vector<size_t> judged;  // items that have rows of logits: chunks in the middle of a prompt have none
  for (size_t i = 0; i < plan.items.size(); ++i) {
    const StepItem& item = plan.items[i];
    if (item.logit_rows == 0) continue;
    const std::vector<TokenId>& guesses = item.request->draft;
    draft.insert(draft.end(), guesses.begin(), guesses.begin() + item.drafted);
    draft.push_back(kNoToken);
    row_start.push_back(int32_t(draft.size()));
    judged.push_back(i);
  }
  if (judged.empty()) return;
  const std::vector<int32_t> accepted = run().model().verify(draft, row_start);
  for (size_t i = 0; i < judged.size(); ++i) drawn[judged[i]].resize(size_t(accepted[i]) + 1);
}
//! [verify]

void SpeculativeService::reject_or_keep(const StepPlan& plan, DrawnTokens& drawn) {
  const std::vector<float> logits = run().model().copy_logits();
  const int64_t vocabulary = run().model().config().vocabulary;
  const float* row = logits.data();
  for (size_t i = 0; i < drawn.size(); ++i) {
    const StepItem& item = plan.items[i];
    if (item.logit_rows == 0) continue;
    const Request& request = *item.request;
    const int64_t first = int64_t(request.tokens.size());  // position of the first token that is judged
    std::vector<Distribution> target;
    for (int64_t r = 0; r < item.logit_rows; ++r, row += vocabulary) {
      target.push_back(Distribution::of_logits(row, int(vocabulary), sampling_at(request, first + r)));
    }
    Draft draft = drafts_[request.id];
    draft.cut(size_t(item.drafted));
    drawn[i] = verify_by_rejection(draft, target, request.sampling.seed, first).tokens;
  }
}

void SpeculativeService::has_ended(const Request& request) {
  drafter_.forget(request);
  length_.forget(request);
}

}  // namespace stagecraft
