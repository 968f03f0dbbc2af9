// must fail: lab02.t3.c4: not fully written
// A thread has one element: those from 64 on are never written.
// >>> LAB lab02.t3
const int tiles = queries.positions[row] / kAttentionTile + 1;
if (const int d = int(threadIdx.x); d < head_dim) {
  SoftmaxState state = softmaxes[0];
  float value = values[d];
  for (int tile = 1; tile < tiles; ++tile) {
    const SoftmaxState later = softmaxes[tile];
    const float max = fmaxf(state.max, later.max);
    const float earlier_weight = exact_exp(state.max - max), later_weight = exact_exp(later.max - max);
    state.max = max;
    state.sum = fmaf(state.sum, earlier_weight, later.sum * later_weight);
    value = fmaf(value, earlier_weight, values[tile * head_dim + d] * later_weight);
  }
  out[query * head_dim + d] = value / state.sum;
}
// <<< LAB lab02.t3
