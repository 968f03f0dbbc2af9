#pragma once
/// @file
/// The verifier of the papers (Leviathan et al. 2023, arXiv 2211.17192; Chen et al. 2023, arXiv 2302.01318), taught beside
/// the main one. A token x drawn from the draft's q is judged by the target's p:
///
///     accept x with probability min(1, p(x) / q(x)); the first that is not accepted is replaced by a draw from
///     residual(y) = max(0, p(y) - q(y)) / sum, and the rest of the draft is dropped. If all are accepted, one more
///     token, the bonus, is drawn from p.
///
/// Then P(y) = q(y) min(1, p(y)/q(y)) + (sum of max(0, q - p)) residual(y) = min(p, q)(y) + max(0, p - q)(y) = p(y).
///
/// The output has the *distribution* of stage 1, not its bits: it depends on what was drafted. What it buys is more
/// accepted tokens where the drafter rolls dice of its own: 1 - d of them, d the total variation of p and q, the most
/// that any verifier can accept.
///
/// It is right under three conditions, and each has been broken in real engines:
///   - x was drawn from the very q that judges it (so Draft carries q; a drafter without dice has q = 1 at its token);
///   - p and q are what is left after temperature, top-k and top-p;
///   - drawing, accepting and replacing use independent random numbers. With the draft's own number as the accept's, a
///     token would be accepted *because* of the number that chose it.
/// Numbers are keyed by (seed, absolute position, stream). A position may be drafted again after a rejection before it;
/// the number that is then used again had no part in what has been committed, for nobody looked at the token it chose.
#include <functional>
#include <span>

#include "kernels/sampling.h"
#include "stages/6_speculative_decoding/drafter.h"
#include "stages/6_speculative_decoding/verification.h"

namespace stagecraft {

/// A number in [0, 1) of 53 random bits.
double uniform_at(uint64_t seed, int64_t position, NoiseStream stream);

/// The random numbers that judge one position.
struct JudgingNoise {
  double accept;    // in [0, 1)
  double residual;  // in [0, 1)
};

/// Those of streams accept and residual.
JudgingNoise judging_noise(uint64_t seed, int64_t position);

/// Whether `id`, drawn from `q`, is accepted as a draw from `p`.
bool is_accepted(TokenId id, const Distribution& p, const Distribution& q, double uniform);

/// What replaces a token that was not accepted: max(0, p - q), normalised. `p` itself if rounding leaves nothing of it.
Distribution residual(const Distribution& p, const Distribution& q);

/// Judges `draft`. `noise(i)` is asked for index i of the draft, at most once each, and for draft.size() for the bonus.
Verdict verify_by_rejection(const Draft& draft,
                            std::span<const Distribution> target,  // (draft + 1) none is empty
                            const std::function<JudgingNoise(size_t)>& noise);

/// The same with noise of (seed, position), where the first drafted token has `first_position`.
Verdict verify_by_rejection(const Draft& draft, std::span<const Distribution> target, uint64_t seed,
                            int64_t first_position);

}  // namespace stagecraft
