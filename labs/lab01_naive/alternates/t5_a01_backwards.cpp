// must pass: lab01.t5
// From the last token to the first, with >= : of equal ones the lowest id comes last and wins.
// >>> LAB lab01.t5/greedy
int32_t best = kNoToken;
for (auto id = int32_t(logits.size()) - 1; id >= 0; --id) {
  const float logit = logits[size_t(id)];
  if (logit != logit) return kNoToken;
  if (std::isinf(logit)) continue;
  if (best == kNoToken || logit >= logits[size_t(best)]) best = id;
}
return best;
// <<< LAB lab01.t5/greedy
// >>> LAB lab01.t5/sampled
const int32_t largest = greedy(logits);
if (largest == kNoToken) return kNoToken;
const stagecraft::SamplingRow how{temperature, stagecraft::kNoTopK, 1.0f, seed, position};
const auto score = [&](int32_t id) {
  return stagecraft::tempered(logits[size_t(id)], logits[size_t(largest)], temperature) +
         stagecraft::token_noise(how, id);
};
int32_t best = largest;
for (auto id = int32_t(logits.size()) - 1; id >= 0; --id) {
  if (std::isinf(logits[size_t(id)])) continue;
  if (score(id) > score(best) || (score(id) == score(best) && id < best)) best = id;
}
return best;
// <<< LAB lab01.t5/sampled
