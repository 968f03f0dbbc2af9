// must fail: lab02.t2.c3: max and sum
// The weights are added from first to last: right, but other bits than the fold.
// >>> LAB lab02.t2/scores
for (int head = warp; head < group; head += kWarps) {
  const auto score = [&](int key) {
    if (key >= count) return -kInfinity;  // e^-infinity is 0
    return exact_dot(query + head * head_dim, tile + key * stride, head_dim) * heads.scale;
  };
  const float low = score(lane), high = score(lane + kWarp);
  const float max = largest_in_warp(fmaxf(low, high));
  const float low_weight = exact_exp(low - max), high_weight = exact_exp(high - max);
  weights[head * kAttentionTile + lane] = low_weight;
  weights[head * kAttentionTile + lane + kWarp] = high_weight;
  __syncwarp();
  float sum = 0.0f;
  for (int key = 0; key < kAttentionTile; ++key) sum += weights[head * kAttentionTile + key];
  if (lane == 0) out.softmaxes[state_of(head)] = {max, sum};
}
__syncthreads();
// <<< LAB lab02.t2/scores
