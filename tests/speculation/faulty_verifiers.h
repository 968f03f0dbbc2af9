#pragma once
/// @file
/// Verifiers with the faults that real engines had. Every test of the right one must catch each of them.
#include <functional>
#include <span>
#include <vector>

#include "stages/6_speculative_decoding/rejection_sampling.h"

namespace stagecraft::testing {

/// The right verifier's shape, with its random numbers from outside.
using RejectionVerifier =
    std::function<Verdict(const Draft&, std::span<const Distribution>, const std::function<JudgingNoise(size_t)>&)>;

struct NamedVerifier {
  const char* name;
  RejectionVerifier verify;
};

inline Verdict right_verifier(const Draft& draft, std::span<const Distribution> target,
                              const std::function<JudgingNoise(size_t)>& noise) {
  return verify_by_rejection(draft, target, noise);
}

/// No dice: a token is accepted if the target likes it better than the draft.
inline Verdict accepts_likelier_only(const Draft& draft, std::span<const Distribution> target,
                                     const std::function<JudgingNoise(size_t)>& noise) {
  const auto decided = [&](size_t i) {
    const bool likelier = i < draft.size() && target[i].of(draft.tokens[i]) > draft.drawn_from[i].of(draft.tokens[i]);
    return JudgingNoise{likelier ? 0.0 : 1.0, noise(i).residual};
  };
  return verify_by_rejection(draft, target, decided);
}

/// The bonus is drawn from what the last draft's distribution leaves of the target's, not from the target's.
inline Verdict bonus_from_residual(const Draft& draft, std::span<const Distribution> target,
                                   const std::function<JudgingNoise(size_t)>& noise) {
  Verdict verdict = verify_by_rejection(draft, target, noise);
  if (verdict.accepted < draft.size() || draft.size() == 0) return verdict;
  const Distribution rest = residual(target[draft.size()], draft.drawn_from.back());
  verdict.tokens.back() = rest.draw(noise(draft.size()).residual);
  return verdict;
}

/// What replaces a rejected token is drawn from the target's whole distribution.
inline Verdict replaces_from_target(const Draft& draft, std::span<const Distribution> target,
                                    const std::function<JudgingNoise(size_t)>& noise) {
  Verdict verdict = verify_by_rejection(draft, target, noise);
  const size_t at = verdict.accepted;
  if (at < draft.size()) verdict.tokens.back() = target[at].draw(noise(at).residual);
  return verdict;
}

/// Judges by another distribution than the tokens were drawn from: the draft's at a higher temperature, say.
inline Verdict judges_by_another(const Draft& draft, std::span<const Distribution> target,
                                 const std::function<JudgingNoise(size_t)>& noise) {
  Draft flattened = draft;
  for (Distribution& q : flattened.drawn_from) {
    std::vector<Distribution::Part> even = q.parts();
    for (Distribution::Part& part : even) part.probability = 1.0;
    q = Distribution::proportional_to(even);
  }
  return verify_by_rejection(flattened, target, noise);
}

inline const std::vector<NamedVerifier>& faulty_verifiers() {
  static const std::vector<NamedVerifier> all{{"accepts by p > q only", accepts_likelier_only},
                                              {"bonus from the residual", bonus_from_residual},
                                              {"replacement from p", replaces_from_target},
                                              {"judges by another q", judges_by_another}};
  return all;
}

}  // namespace stagecraft::testing
