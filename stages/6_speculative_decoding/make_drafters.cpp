/// @file
/// From a choice to drafters.
#include "kernels/check.h"
#include "stages/6_speculative_decoding/draft_model.h"
#include "stages/6_speculative_decoding/speculation_options.h"

namespace stagecraft {
namespace {

/// What the jobs of `input` become without drafts. Time plays no part in it, so it is not waited for.
TrueTokens truth_of(const RunInput& input, const PagedOptions& paged) {
  constexpr int64_t kStepNs = 1;
  CostClock clock(CostModel::constant_step(kStepNs));
  NoTextSink nowhere;
  const RunLog log = PagedEngine(paged).run(
      {input.model, input.pool, input.tokenizer, input.end_of_text, input.jobs, clock, nowhere, input.cancelled});
  TrueTokens truth;
  for (const RequestRecord& request : log.requests) {
    std::vector<TokenId>& tokens = truth[request.id] = input.jobs[size_t(request.id)].request.tokens;
    tokens.insert(tokens.end(), request.output_ids.begin(), request.output_ids.end());
  }
  return truth;
}

}  // namespace

MakeDrafter make_drafters(const DrafterChoice& choice, const std::filesystem::path& target, Verifier verifier,
                          const PagedOptions& paged) {
  if (choice.ngram) {
    const NgramDrafter refuses_bad_limits(*choice.ngram);
    return [how = *choice.ngram](const RunInput&) { return std::make_unique<NgramDrafter>(how); };
  }
  if (choice.draft_model) {
    const auto noise = verifier == Verifier::exact_match ? ModelDrafterOptions::Noise::coupled
                                                         : ModelDrafterOptions::Noise::independent;
    const auto model =
        std::make_shared<DraftModel>(DraftModelOptions{*choice.draft_model, choice.draft_pool, noise}, target);
    return [model](const RunInput& input) { return model->drafter_for(input); };
  }
  check(choice.script.has_value(), "somebody drafts, if only nothing");
  return [script = *choice.script, paged](const RunInput& input) {
    const bool knows_truth = script.kind != Script::Kind::random && script.kind != Script::Kind::empty;
    return std::make_unique<ScriptedDrafter>(script, knows_truth ? truth_of(input, paged) : TrueTokens{},
                                             input.model.config().vocabulary);
  };
}

}  // namespace stagecraft
