/// @file
/// Weights become probabilities; a uniform number becomes a token.
#include "stages/6_speculative_decoding/distribution.h"

#include <algorithm>
#include <cmath>

#include "kernels/check.h"
#include "kernels/cpu/plain_kernels.h"
#include "kernels/sampling.h"

namespace stagecraft {

Distribution Distribution::proportional_to(std::vector<Part> weights) {
  std::erase_if(weights, [](const Part& part) { return part.probability <= 0.0; });
  std::sort(weights.begin(), weights.end(), [](const Part& a, const Part& b) { return a.id < b.id; });
  double total = 0.0;
  for (const Part& part : weights) total += part.probability;
  for (Part& part : weights) part.probability /= total;
  return Distribution(std::move(weights));
}

Distribution Distribution::of_logits(const float* logits, int vocabulary, const SamplingRow& how) {
  const std::vector<TokenId> candidates = cpu::sampling_candidates(logits, vocabulary, how);
  if (candidates.empty()) return {};
  if (how.temperature == 0.0f) return certain(candidates.front());
  const float largest = logits[candidates.front()];
  std::vector<Part> weights;
  for (const TokenId id : candidates) {
    weights.push_back({id, double(probability_mass(tempered(logits[id], largest, how.temperature)))});
  }
  return proportional_to(std::move(weights));
}

double Distribution::of(TokenId id) const {
  const auto found = std::lower_bound(parts_.begin(), parts_.end(), id,
                                      [](const Part& part, TokenId wanted) { return part.id < wanted; });
  return found != parts_.end() && found->id == id ? found->probability : 0.0;
}

TokenId Distribution::draw(double uniform) const {
  check(!empty(), "there is something to draw");
  double below = 0.0;
  for (const Part& part : parts_) {
    below += part.probability;
    if (uniform < below) return part.id;
  }
  return parts_.back().id;  // the sum may have been rounded to a little less than 1
}

double total_variation(const Distribution& a, const Distribution& b) {
  double sum = 0.0;
  for (const auto& [id, probability] : a.parts()) sum += std::abs(probability - b.of(id));
  for (const auto& [id, probability] : b.parts()) sum += a.of(id) > 0.0 ? 0.0 : probability;
  return sum / 2;
}

}  // namespace stagecraft
