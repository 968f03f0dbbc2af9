// must fail: lab02.t2.c5: race
// No barrier after the scores: values overwrite keys that a slower warp still reads.
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
  const float sum = fold_in_warp(low_weight, high_weight);
  if (lane == 0) out.softmaxes[state_of(head)] = {max, sum};
}
// <<< LAB lab02.t2/scores
