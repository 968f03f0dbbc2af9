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
  constexpr int64_t kKeyAndValue = 2;
  return kKeyAndValue * model.layers * model.kv_heads * model.head_dim * bytes_of(model.kv_type);
  // <<< LAB lab02.t4/token
}

int64_t tokens_that_fit(const Model& model, int64_t memory_bytes) {
  // >>> LAB lab02.t4/fit  about 2 lines   (edit only between the arrows)
  // TODO(lab02.t4): the weights are in this memory, too.
  const int64_t left = memory_bytes - model.parameters * bytes_of(model.weight_type);
  return std::max<int64_t>(left, 0) / kv_bytes_per_token(model);
  // <<< LAB lab02.t4/fit
}

Traffic step_traffic(const Model& model, const Step& step) {
  // >>> LAB lab02.t4/step  about 4 lines   (edit only between the arrows)
  // TODO(lab02.t4): the weights once, and the keys and values of how many positions?
  const int64_t weights = model.parameters * bytes_of(model.weight_type);
  const int64_t per_token = kv_bytes_per_token(model);
  return {weights + (step.first + step.rows) * per_token, step.rows * per_token};
  // <<< LAB lab02.t4/step
}

}  // namespace lab02
