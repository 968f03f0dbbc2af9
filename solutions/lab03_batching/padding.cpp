/// @file
/// Lab 3, task 3: what the lock step of a static batch wastes, and who should share a batch. The contract:
/// labs/lab03_batching/include/batching.h.
#include <algorithm>
#include <numeric>

#include "batching.h"
#include "labs/support/todo.h"

namespace lab03 {

Padding padding_of(const std::vector<BatchLengths>& batches) {
  // >>> LAB lab03.t3/law  about 9 lines   (edit only between the arrows)
  // TODO(lab03.t3): a batch takes max(lengths) steps and holds B x max places in them; sum(lengths) of these are used.
  Padding padding{};
  for (const BatchLengths& lengths : batches) {
    const int64_t steps = *std::max_element(lengths.begin(), lengths.end());
    const int64_t slots = int64_t(lengths.size()) * steps;
    padding.steps += steps;
    padding.slots += slots;
    padding.padded += slots - std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
  }
  padding.share = padding.slots == 0 ? 0.0 : double(padding.padded) / double(padding.slots);
  return padding;
  // <<< LAB lab03.t3/law
}

std::vector<std::vector<int>> choose_batches(const std::vector<int64_t>& lengths, int places) {
  // >>> LAB lab03.t3/choice  about 10 lines   (edit only between the arrows)
  // TODO(lab03.t3): let requests of like length share a batch. If one batch stays incomplete, which should it be?
  std::vector<int> longest_first(lengths.size());
  std::iota(longest_first.begin(), longest_first.end(), 0);
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](int a, int b) { return lengths[size_t(a)] > lengths[size_t(b)]; });
  std::vector<std::vector<int>> batches;
  for (const int request : longest_first) {
    if (batches.empty() || int(batches.back().size()) == places) batches.emplace_back();
    batches.back().push_back(request);
  }
  return batches;
  // <<< LAB lab03.t3/choice
}

}  // namespace lab03
