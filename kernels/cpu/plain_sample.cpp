/// @file
/// The canonical sampler, as kernels/sampling.h words it: sort, cut, add noise, take the largest.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/cpu/plain_kernels.h"
#include "kernels/sampling.h"

namespace stagecraft::cpu {
namespace {

/// The id of the largest logit, the lowest id among equals; kNoToken if a logit is NaN or the largest is not finite.
TokenId largest_logit(const float* logits, int vocabulary) {
  TokenId best = 0;
  for (TokenId id = 0; id < vocabulary; ++id) {
    if (std::isnan(logits[id])) return kNoToken;
    if (logits[id] > logits[best]) best = id;
  }
  return std::isfinite(logits[best]) ? best : kNoToken;
}

/// All ids with a finite logit, largest logit first, equal ones by increasing id.
std::vector<TokenId> ranked_ids(const float* logits, int vocabulary) {
  std::vector<TokenId> ids(static_cast<size_t>(vocabulary));
  std::iota(ids.begin(), ids.end(), 0);
  std::erase_if(ids, [&](TokenId id) { return !std::isfinite(logits[id]); });
  std::stable_sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) { return logits[a] > logits[b]; });
  return ids;
}

/// Cuts the ranked ids to the fewest whose probabilities sum to at least top_p.
void keep_top_p(std::vector<TokenId>& ids, const float* logits, float largest, const SamplingRow& how) {
  std::vector<uint64_t> mass;
  for (const TokenId id : ids) mass.push_back(probability_mass(tempered(logits[id], largest, how.temperature)));
  const uint64_t needed = mass_needed(how.top_p, std::accumulate(mass.begin(), mass.end(), uint64_t{0}));

  uint64_t reached = 0;
  size_t kept = 0;
  while (kept < ids.size() && reached < needed) reached += mass[kept++];
  ids.resize(kept);
}

}  // namespace

std::vector<TokenId> sampling_candidates(const float* logits, int vocabulary, const SamplingRow& how) {
  const TokenId best = largest_logit(logits, vocabulary);
  if (best == kNoToken) return {};
  if (how.temperature == 0.0f) return {best};

  std::vector<TokenId> candidates = ranked_ids(logits, vocabulary);
  if (how.top_k != kNoTopK && size_t(how.top_k) < candidates.size()) candidates.resize(size_t(how.top_k));
  if (how.top_p < 1.0f) keep_top_p(candidates, logits, logits[best], how);
  return candidates;
}

TokenId plain_sample_row(const float* logits, int vocabulary, const SamplingRow& how) {
  const std::vector<TokenId> candidates = sampling_candidates(logits, vocabulary, how);
  if (candidates.empty()) return kNoToken;
  const TokenId best = candidates.front();
  if (how.temperature == 0.0f) return best;

  TokenId winner = best;
  float winning_score = -kInfinity;
  for (const TokenId id : candidates) {
    const float score = tempered(logits[id], logits[best], how.temperature) + token_noise(how, id);
    if (score > winning_score || (score == winning_score && id < winner)) {
      winner = id;
      winning_score = score;
    }
  }
  return winner;
}

}  // namespace stagecraft::cpu
