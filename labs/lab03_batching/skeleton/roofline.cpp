/// @file
/// Lab 3, task 4: how long a decoding step takes at best, and from how many rows on arithmetic is the limit (Williams et
/// al., CACM 2009). The contract: labs/lab03_batching/include/batching.h.
#include <algorithm>

#include "batching.h"
#include "labs/support/todo.h"

namespace lab03 {
namespace {

constexpr int64_t kFlopPerParameter = 2;  // a multiplication and an addition

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Bytes that a step reads.
int64_t bytes_of(const ModelCost& model, const DecodeStep& step) {
  // >>> LAB lab03.t4/bytes  about 1 line   (edit only between the arrows)
  // TODO(lab03.t4): weights, and stored keys and values: which does a step read once, and which for each row?
  LAB_TODO("lab03.t4");
  // <<< LAB lab03.t4/bytes
}

/// FLOP of a step.
int64_t flop_of(const ModelCost& model, const DecodeStep& step) {
  // >>> LAB lab03.t4/flop  about 1 line   (edit only between the arrows)
  // TODO(lab03.t4): kFlopPerParameter for each parameter and row.
  LAB_TODO("lab03.t4");
  // <<< LAB lab03.t4/flop
}

}  // namespace

double intensity(const ModelCost& model, const DecodeStep& step) {
  // >>> LAB lab03.t4/intensity  about 1 line   (edit only between the arrows)
  // TODO(lab03.t4): FLOP a byte.
  LAB_TODO("lab03.t4");
  // <<< LAB lab03.t4/intensity
}

int64_t step_ns(const ModelCost& model, const Machine& machine, const DecodeStep& step) {
  // >>> LAB lab03.t4/time  about 3 lines   (edit only between the arrows)
  // TODO(lab03.t4): reading and arithmetic go on at the same time, so the step takes as long as the longer of the two.
  LAB_TODO("lab03.t4");
  // <<< LAB lab03.t4/time
}

int64_t rows_to_leave_memory(const ModelCost& model, const Machine& machine, int64_t kv_length) {
  // >>> LAB lab03.t4/turn  about 6 lines   (edit only between the arrows)
  // TODO(lab03.t4): solve FLOP / FLOP rate >= bytes / bandwidth for the rows. Multiply by both rates: then everything is a
  // whole number, and nothing is rounded but the result.
  LAB_TODO("lab03.t4");
  // <<< LAB lab03.t4/turn
}

}  // namespace lab03
