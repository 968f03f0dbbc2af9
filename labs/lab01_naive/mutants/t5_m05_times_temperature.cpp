// must fail: lab01.t5.c2: token
// Multiplied by the temperature.
// >>> LAB lab01.t5/sampled
const int32_t largest = greedy(logits);
if (largest == kNoToken) return kNoToken;
const stagecraft::SamplingRow how{temperature, stagecraft::kNoTopK, 1.0f, seed, position};
int32_t best = kNoToken;
float best_score = 0.0f;
for (size_t id = 0; id < logits.size(); ++id) {
  if (!std::isfinite(logits[id])) continue;
  const float score = (logits[id] - logits[size_t(largest)]) * temperature + stagecraft::token_noise(how, int32_t(id));
  if (best != kNoToken && score <= best_score) continue;
  best = int32_t(id);
  best_score = score;
}
return best;
// <<< LAB lab01.t5/sampled
