/// @file
/// Lab 4, task 2: chunked prefill (Sarathi-Serve; Agrawal et al., OSDI 2024). The contract:
/// labs/lab04_continuous_batching/include/continuous.h.
///
/// A prompt under way is a request with pending tokens, like any other: `computed` says where the next chunk begins.
#include <algorithm>

#include "continuous.h"
#include "labs/support/todo.h"

namespace lab04 {

Share chunk_of(const Request& request, int64_t left, int64_t max_chunk) {
  // >>> LAB lab04.t2/chunk  about 2 lines   (edit only between the arrows)
  // TODO(lab04.t2): how many tokens, from which on, and are they the last that are known?
  LAB_TODO("lab04.t2");
  // <<< LAB lab04.t2/chunk
}

void commit(Batch& batch, const Plan& plan) {
  // >>> LAB lab04.t2/commit  about 6 lines   (edit only between the arrows)
  // TODO(lab04.t2): find the request of each share by its id; its tokens are computed now. Logits bring it a token.
  LAB_TODO("lab04.t2");
  // <<< LAB lab04.t2/commit
}

}  // namespace lab04
