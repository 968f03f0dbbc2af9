/// @file
/// Batches found again in the log, and the law of static batching.
#include "stages/3_batching/padding.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace stagecraft {

std::vector<BatchLengths> batches_of(const RunLog& log) {
  std::vector<BatchLengths> batches;
  std::unordered_map<int, size_t> place;  // by request, in the current batch
  for (const StepRecord& step : log.steps) {
    const bool begins = step.parts.front().kv_length == step.parts.front().rows;
    if (begins) {
      batches.emplace_back(step.parts.size(), 0);
      place.clear();
      for (const StepPart& part : step.parts) place.emplace(part.request, place.size());
    }
    for (const StepPart& part : step.parts) ++batches.back()[place.at(part.request)];
  }
  return batches;
}

Padding padding_law(const std::vector<BatchLengths>& batches) {
  Padding padding;
  for (const BatchLengths& lengths : batches) {
    const int64_t steps = *std::max_element(lengths.begin(), lengths.end());
    const int64_t slots = int64_t(lengths.size()) * steps;
    padding.steps += steps;
    padding.slots += slots;
    padding.padded += slots - std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
  }
  return padding;
}

}  // namespace stagecraft
