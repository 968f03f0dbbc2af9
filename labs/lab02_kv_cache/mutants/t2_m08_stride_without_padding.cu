// must fail: lab02.t2.c7: wavefronts
// Rows of 64 floats without the odd stride: the 32 lanes meet in one bank.
// >>> LAB lab02.t2/load
for (int head = warp; head < group; head += kWarps) {
  const float* from = q + (int64_t(row) * heads.heads + first_head + head) * head_dim;
  for (int d = lane; d < head_dim; d += kWarp) query[head * head_dim + d] = from[d];
}
for (int key = warp; key < count; key += kWarps) {
  const T* from = keys + in_cache(key);
  for (int d = lane; d < head_dim; d += kWarp) tile[key * head_dim + d] = stagecraft::to_float(from[d]);
}
__syncthreads();
// <<< LAB lab02.t2/load
// >>> LAB lab02.t2/scores
for (int head = warp; head < group; head += kWarps) {
  const auto score = [&](int key) {
    if (key >= count) return -kInfinity;  // e^-infinity is 0
    return exact_dot(query + head * head_dim, tile + key * head_dim, head_dim) * heads.scale;
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
