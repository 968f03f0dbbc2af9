// must pass: lab02.t3
// Begins with an empty state: its weight is e^-infinity, 0. And stagecraft::merge does the rest.
// >>> LAB lab02.t3
for (int d = int(threadIdx.x); d < head_dim; d += kThreads) {
  SoftmaxState state;
  float value = 0.0f;
  for (int tile = 0; tile * kAttentionTile <= queries.positions[row]; ++tile) {
    const stagecraft::MergeWeights weights = stagecraft::merge(state, softmaxes[tile]);
    value = fmaf(value, weights.earlier, values[tile * head_dim + d] * weights.later);
  }
  out[query * head_dim + d] = value / state.sum;
}
// <<< LAB lab02.t3
