/// @file
/// Lab 2, task 4: what a token costs in bytes. The contract: labs/lab02_kv_cache/include/kv_cache.h.
#include <algorithm>

#include "kv_cache.h"
#include "labs/support/todo.h"

namespace lab02 {

using stagecraft::bytes_of;

int64_t kv_bytes_per_token(const Model& model) {
  // >>> LAB lab02.t4/token  about 2 lines   (edit only between the arrows)
  // TODO(lab02.t4): keys and values of all layers. Who has a key: a query head, or a key head? bytes_of(type) is the
  // size of one number.
  LAB_TODO("lab02.t4");
  // <<< LAB lab02.t4/token
}

int64_t tokens_that_fit(const Model& model, int64_t memory_bytes) {
  // >>> LAB lab02.t4/fit  about 2 lines   (edit only between the arrows)
  // TODO(lab02.t4): the weights are in this memory, too.
  LAB_TODO("lab02.t4");
  // <<< LAB lab02.t4/fit
}

Traffic step_traffic(const Model& model, const Step& step) {
  // >>> LAB lab02.t4/step  about 4 lines   (edit only between the arrows)
  // TODO(lab02.t4): the weights once, and the keys and values of how many positions?
  LAB_TODO("lab02.t4");
  // <<< LAB lab02.t4/step
}

}  // namespace lab02
