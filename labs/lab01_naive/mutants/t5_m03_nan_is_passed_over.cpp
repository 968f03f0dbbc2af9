// must fail: lab01.t5.c3: greedy
// A NaN is not noticed, because no comparison with it is true.
// >>> LAB lab01.t5/greedy
int32_t best = kNoToken;
for (size_t id = 0; id < logits.size(); ++id) {
  if (std::isfinite(logits[id]) && (best == kNoToken || logits[id] > logits[size_t(best)])) best = int32_t(id);
}
return best;
// <<< LAB lab01.t5/greedy
