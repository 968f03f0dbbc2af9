// must fail: lab02.t2.c1: sum
// A key that is not seen has score 0, and so weighs as much as many that are.
// >>> LAB lab02.t2/scores
for (int head = warp; head < group; head += kWarps) {
  const auto score = [&](int key) {
    if (key >= count) return 0.0f;
    return exact_dot(query + head * head_dim, tile + key * stride, head_dim) * heads.scale;
  };
  const float low = score(lane), high = score(lane + kWarp);
  const float max = largest_in_warp(fmaxf(low, high));
  const float low_weight = exact_exp(low - max), high_weight = exact_exp(high - max);
  weights[head * kAttentionTile + lane] = low_weight;
  weights[head * kAttentionTile + lane + kWarp] = high_weight;
  const float sum = fold_in_warp(low_weight, high_weight);
  if (lane == 0) out.softmaxes[state_of(head)] = {max, sum};
}
__syncthreads();
// <<< LAB lab02.t2/scores
