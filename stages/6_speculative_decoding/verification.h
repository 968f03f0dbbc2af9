#pragma once
/// @file
/// The main verifier: a drafted token is right if it *equals* what the target samples at its place (EXACTNESS R9).
///
///     draft        x  y  z
///     drawn        x  y  b  c      drawn[i]: sampled after row i, with noise of (seed, absolute position)
///     committed    x  y  b         the equal ones, and the target's own word for the first that is not
///
/// drawn[2] was computed on "... x y" and that is what has been committed, so it is right whatever z was; drawn[3] was
/// computed on a wrong z and is thrown away. Each committed token is the one that the target would have sampled without
/// drafts, for its noise depends on seed and position alone. So the output is the same at every temperature, whatever
/// the drafter does, and a draft model that draws with the *same* noise often draws the same token (model_drafter.h).
/// Sampled so, agreement with the target is at least (1 - d) / (1 + d) for two distributions of total variation d
/// (Daliri, Musco and Suresh 2024, arXiv 2408.07978); rejection sampling reaches 1 - d, and gives up the identity.
#include <algorithm>
#include <span>
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft {

/// What a verifier makes of one request's draft.
struct Verdict {
  size_t accepted = 0;          // so many drafted tokens were right
  std::vector<TokenId> tokens;  // (accepted + 1) they, and one that the target adds
};

/// `draft` has one token less than `drawn`.
inline Verdict verify_by_match(std::span<const TokenId> draft, std::span<const TokenId> drawn) {
  const auto wrong = std::mismatch(draft.begin(), draft.end(), drawn.begin()).first;
  const size_t accepted = size_t(wrong - draft.begin());
  return {accepted, {drawn.begin(), drawn.begin() + std::ptrdiff_t(accepted) + 1}};
}

}  // namespace stagecraft
