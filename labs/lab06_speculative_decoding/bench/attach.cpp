/// @file
/// Puts the learner's functions into the stage's program. The linker's --wrap sends three calls here (labs/README.md), so
/// the program itself is not changed:
///
/// | call of the engine  | what the learner's is                                                                      |
/// |---------------------|--------------------------------------------------------------------------------------------|
/// | make_device         | `verify` in the table of kernels (t1): the simulator runs it, on memory of the host         |
/// | make_drafters       | the n-gram drafter (t3); others stay the engine's                                           |
/// | verify_by_rejection | rejection sampling (t4), with --verifier rejection                                          |
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/device.h"
#include "speculation.h"
#include "stages/6_speculative_decoding/rejection_sampling.h"
#include "stages/6_speculative_decoding/speculation_options.h"

namespace stagecraft {

std::unique_ptr<Device> original_make_device(std::string_view name, int threads) asm(
    "__real__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");
std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) asm(
    "__wrap__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");

MakeDrafter
original_make_drafters(const DrafterChoice& choice, const std::filesystem::path& target, Verifier verifier, const PagedOptions& paged) asm(
    "__real__ZN10stagecraft13make_draftersERKNS_13DrafterChoiceERKNSt10filesystem7__cxx114pathENS_8VerifierERKNS_"
    "12PagedOptionsE");
MakeDrafter
make_drafters_with_lab(const DrafterChoice& choice, const std::filesystem::path& target, Verifier verifier, const PagedOptions& paged) asm(
    "__wrap__ZN10stagecraft13make_draftersERKNS_13DrafterChoiceERKNSt10filesystem7__cxx114pathENS_8VerifierERKNS_"
    "12PagedOptionsE");

Verdict
verify_by_rejection_with_lab(const Draft& draft, std::span<const Distribution> target, uint64_t seed, int64_t first_position) asm(
    "__wrap__ZN10stagecraft19verify_by_rejectionERKNS_5DraftESt4spanIKNS_12DistributionELm18446744073709551615EEml");

namespace {

void verify(const TokenId* drawn, const TokenId* draft, const int32_t* row_start, int32_t* accepted, int requests,
            Stream) {
  lab06::verify(drawn, draft, row_start, accepted, requests);
}

/// Each request has an index of its own.
class LabDrafter final : public Drafter {
 public:
  explicit LabDrafter(const NgramOptions& options) : limits_{options.min_match, options.max_match} {}

  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) override {
    std::vector<Draft> drafts;
    for (size_t i = 0; i < requests.size(); ++i) {
      lab06::NgramIndex& index = indices_[requests[i]->id];
      drafts.push_back({lab06::propose(lab06::Text(requests[i]->tokens), index, limits_, lengths[i]), {}});
    }
    return drafts;
  }
  void forget(const Request& request) override { indices_.erase(request.id); }
  std::string describe() const override {
    return fmt::format("yours, n-grams of {} to {} tokens", limits_.min_match, limits_.max_match);
  }

 private:
  lab06::NgramLimits limits_;
  std::unordered_map<int, lab06::NgramIndex> indices_;  // by request id
};

/// With all probabilities written out, for tokens below `vocabulary`.
lab06::Distribution dense(const Distribution& distribution, size_t vocabulary) {
  lab06::Distribution all(vocabulary, 0.0);
  for (const auto& [id, probability] : distribution.parts()) all[size_t(id)] = probability;
  return all;
}

}  // namespace

std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) {
  std::unique_ptr<Device> device = original_make_device(name, threads);
  if (device->name() != "cuda") device->kernels().verify = verify;
  return device;
}

MakeDrafter make_drafters_with_lab(const DrafterChoice& choice, const std::filesystem::path& target, Verifier verifier,
                                   const PagedOptions& paged) {
  MakeDrafter original = original_make_drafters(choice, target, verifier, paged);  // refuses bad options
  if (!choice.ngram) return original;
  return [how = *choice.ngram](const RunInput&) { return std::make_unique<LabDrafter>(how); };
}

Verdict verify_by_rejection_with_lab(const Draft& draft, std::span<const Distribution> target, uint64_t seed,
                                     int64_t first_position) {
  std::vector<Distribution> drawn_from = draft.drawn_from;
  if (drawn_from.empty()) {
    for (const TokenId id : draft.tokens) drawn_from.push_back(Distribution::certain(id));
  }
  size_t vocabulary = 0;  // as many as can be drawn
  const auto cover = [&](const Distribution& one) {
    vocabulary = std::max(vocabulary, size_t(one.parts().back().id) + 1);
  };
  std::for_each(drawn_from.begin(), drawn_from.end(), cover);
  std::for_each(target.begin(), target.end(), cover);

  std::vector<lab06::Distribution> q, p;
  std::vector<lab06::JudgingNoise> noise;
  for (const Distribution& one : drawn_from) q.push_back(dense(one, vocabulary));
  for (const Distribution& one : target) {
    const JudgingNoise numbers = judging_noise(seed, first_position + int64_t(p.size()));
    noise.push_back({numbers.accept, numbers.residual});
    p.push_back(dense(one, vocabulary));
  }
  const lab06::Verdict verdict = lab06::verify_by_rejection(draft.tokens, q, p, noise);
  return {size_t(verdict.accepted), verdict.tokens};
}

}  // namespace stagecraft
