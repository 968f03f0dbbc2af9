// must fail: lab01.t5.c1: token
// The largest is looked for above 0.
// >>> LAB lab01.t5/greedy
int32_t best = kNoToken;
float largest = 0.0f;
for (size_t id = 0; id < logits.size(); ++id) {
  if (std::isnan(logits[id])) return kNoToken;
  if (logits[id] > largest) best = int32_t(id), largest = logits[id];
}
return best;
// <<< LAB lab01.t5/greedy
