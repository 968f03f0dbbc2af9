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
  const int64_t first_sees = step.first + 1, last_sees = step.first + step.rows;
  const int64_t pairs = (first_sees + last_sees) * step.rows / 2;
  const int64_t per_pair = int64_t{4} * model.layers * model.heads * model.head_dim;
  return 2 * model.parameters * step.rows + per_pair * pairs;
  // <<< LAB lab02.t6/operations
}

Work generation_work(const Model& model, int64_t prompt, int64_t output, Decoding decoding) {
  // >>> LAB lab02.t6/generation  about 10 lines   (edit only between the arrows)
  // TODO(lab02.t6): one pass for each token of the output. Where does the pass begin, naively, and with a cache?
  Work work{};
  for (int64_t drawn = 0; drawn < output; ++drawn) {
    const int64_t known = prompt + drawn;
    const int64_t cached = decoding == Decoding::naive || drawn == 0 ? 0 : known - 1;
    const Step step{cached, known - cached, true};
    const Traffic traffic = step_traffic(model, step);
    work.tokens += step.rows;
    work.operations += operations(model, step);
    work.bytes_read += traffic.read;
    work.bytes_written += traffic.written;
  }
  return work;
  // <<< LAB lab02.t6/generation
}

int64_t cache_wins_from(const Model& model, const Machine& machine) {
  // >>> LAB lab02.t6/crossover  about 6 lines   (edit only between the arrows)
  // TODO(lab02.t6): seconds is above. Both passes draw the token after a text of `length` tokens; which rows has each?
  int64_t length = 1;
  const auto naive = [&] { return seconds(model, {0, length, true}, machine); };
  const auto cached = [&] { return seconds(model, {length - 1, 1, true}, machine); };
  while (naive() <= cached()) ++length;
  return length;
  // <<< LAB lab02.t6/crossover
}

}  // namespace lab02
