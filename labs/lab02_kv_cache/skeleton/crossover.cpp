/// @file
/// Lab 2, task 6: from where on does the cache win? The contract: labs/lab02_kv_cache/include/kv_cache.h.
#include <algorithm>

#include "kv_cache.h"
#include "labs/support/todo.h"

namespace lab02 {
namespace {

/// How long a step takes on a machine that reads and computes at its limits (the roofline).
double seconds(const Model& model, const Step& step, const Machine& machine) {
  return std::max(double(step_traffic(model, step).read) / machine.bytes_per_second,
                  double(operations(model, step)) / machine.operations_per_second);
}

}  // namespace

int64_t operations(const Model& model, const Step& step) {
  // >>> LAB lab02.t6/operations  about 5 lines   (edit only between the arrows)
  // TODO(lab02.t6): 2 for each parameter and row; 4 for each element of a query head, layer, and pair of a row and a
  // key that it sees. The row at position p sees p + 1 keys.
  LAB_TODO("lab02.t6");
  // <<< LAB lab02.t6/operations
}

Work generation_work(const Model& model, int64_t prompt, int64_t output, Decoding decoding) {
  // >>> LAB lab02.t6/generation  about 10 lines   (edit only between the arrows)
  // TODO(lab02.t6): one pass for each token of the output. Where does the pass begin, naively, and with a cache?
  LAB_TODO("lab02.t6");
  // <<< LAB lab02.t6/generation
}

int64_t cache_wins_from(const Model& model, const Machine& machine) {
  // >>> LAB lab02.t6/crossover  about 6 lines   (edit only between the arrows)
  // TODO(lab02.t6): seconds is above. Both passes draw the token after a text of `length` tokens; which rows has each?
  LAB_TODO("lab02.t6");
  // <<< LAB lab02.t6/crossover
}

}  // namespace lab02
