// must fail: lab01.t5.c1: token
// Of equal logits the last one wins.
// >>> LAB lab01.t5/greedy
int32_t best = kNoToken;
for (size_t id = 0; id < logits.size(); ++id) {
  if (std::isnan(logits[id])) return kNoToken;
  if (std::isfinite(logits[id]) && (best == kNoToken || logits[id] >= logits[size_t(best)])) best = int32_t(id);
}
return best;
// <<< LAB lab01.t5/greedy
