/// @file
/// Lab 1, task 5: from logits to a token. The contract: labs/lab01_naive/include/naive.h.
#include <cmath>

#include "kernels/sampling.h"
#include "labs/support/todo.h"
#include "naive.h"

namespace lab01 {

int32_t greedy(std::span<const float> logits) {
  // >>> LAB lab01.t5/greedy  about 7 lines   (edit only between the arrows)
  // TODO(lab01.t5): the largest finite logit; kNoToken where a NaN is among them or none is finite.
  LAB_TODO("lab01.t5");
  // <<< LAB lab01.t5/greedy
}

int32_t sampled(std::span<const float> logits, float temperature, uint64_t seed, int64_t position) {
  // >>> LAB lab01.t5/sampled  about 12 lines   (edit only between the arrows)
  // TODO(lab01.t5): the Gumbel-max trick: the arg max of tempered logit + noise. The noise of a token is
  // stagecraft::token_noise({temperature, top_k, top_p, seed, position}, id), with stagecraft::kNoTopK and 1 for the two.
  LAB_TODO("lab01.t5");
  // <<< LAB lab01.t5/sampled
}

}  // namespace lab01
