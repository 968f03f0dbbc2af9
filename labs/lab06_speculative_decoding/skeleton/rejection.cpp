/// @file
/// Lab 6, task 4: the verifier of Leviathan et al. 2023 (arXiv 2211.17192) and Chen et al. 2023 (arXiv 2302.01318). The
/// contract: labs/lab06_speculative_decoding/include/speculation.h.
#include <algorithm>

#include "labs/support/todo.h"
#include "speculation.h"

namespace lab06 {

Distribution residual(const Distribution& p, const Distribution& q) {
  // >>> LAB lab06.t4/residual  about 9 lines   (edit only between the arrows)
  // TODO(lab06.t4): what p has more than q, divided by its sum; p where the sum is 0.
  LAB_TODO("lab06.t4");
  // <<< LAB lab06.t4/residual
}

Verdict verify_by_rejection(std::span<const Token> draft, std::span<const Distribution> q,
                            std::span<const Distribution> p, std::span<const JudgingNoise> noise) {
  // >>> LAB lab06.t4/verify  about 13 lines   (edit only between the arrows)
  // TODO(lab06.t4): judge token after token. The first that is not accepted is replaced, and that is the end; behind the
  // last one comes a token of the target's own. draw is in the header.
  LAB_TODO("lab06.t4");
  // <<< LAB lab06.t4/verify
}

}  // namespace lab06
