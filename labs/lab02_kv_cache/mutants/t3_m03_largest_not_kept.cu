// must fail: lab02.t3.c1: out[
// The new maximum is not kept: from the third tile on the weights are wrong.
// >>> LAB lab02.t3
const int tiles = queries.positions[row] / kAttentionTile + 1;
for (int d = int(threadIdx.x); d < head_dim; d += kThreads) {
  SoftmaxState state = softmaxes[0];
  float value = values[d];
  for (int tile = 1; tile < tiles; ++tile) {
    const SoftmaxState later = softmaxes[tile];
    const float max = fmaxf(state.max, later.max);
    const float earlier_weight = exact_exp(state.max - max), later_weight = exact_exp(later.max - max);
    state.sum = fmaf(state.sum, earlier_weight, later.sum * later_weight);
    value = fmaf(value, earlier_weight, values[tile * head_dim + d] * later_weight);
  }
  out[query * head_dim + d] = value / state.sum;
}
// <<< LAB lab02.t3
