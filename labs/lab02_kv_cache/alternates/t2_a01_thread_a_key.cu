// must pass: lab02.t2
// A thread takes a key for all heads, one thread folds a head; values are added for all heads as they are loaded.
// >>> LAB lab02.t2/load
for (int i = warp * kWarp + lane; i < group * head_dim; i += kWarps * kWarp) {
  query[i] = q[(int64_t(row) * heads.heads + first_head) * head_dim + i];
}
for (int i = warp * kWarp + lane; i < count * head_dim; i += kWarps * kWarp) {
  tile[i / head_dim * stride + i % head_dim] = stagecraft::to_float(keys[in_cache(i / head_dim) + i % head_dim]);
}
__syncthreads();
// <<< LAB lab02.t2/load
// >>> LAB lab02.t2/scores
const int thread = warp * kWarp + lane;
if (thread < kAttentionTile) {
  for (int head = 0; head < group; ++head) {
    weights[head * kAttentionTile + thread] =
        thread < count ? exact_dot(query + head * head_dim, tile + thread * stride, head_dim) * heads.scale : 0.0f;
  }
}
__syncthreads();
for (int head = 0; head < group && thread == 0; ++head) {
  float mine[kAttentionTile] = {};
  float max = -kInfinity;
  for (int key = 0; key < count; ++key) max = fmaxf(max, weights[head * kAttentionTile + key]);
  for (int key = 0; key < count; ++key) {
    mine[key] = exact_exp(weights[head * kAttentionTile + key] - max);
    weights[head * kAttentionTile + key] = mine[key];
  }
  out.softmaxes[state_of(head)] = {max, stagecraft::exact_fold(mine)};
}
__syncthreads();
// <<< LAB lab02.t2/scores
// >>> LAB lab02.t2/values
for (int d = thread; d < head_dim; d += kWarps * kWarp) {
  float sums[kMaxGroup] = {};
  for (int key = 0; key < count; ++key) {
    const float value = stagecraft::to_float(values[in_cache(key) + d]);
    for (int head = 0; head < group; ++head) {
      sums[head] = fmaf(weights[head * kAttentionTile + key], value, sums[head]);
    }
  }
  for (int head = 0; head < group; ++head) out.values[state_of(head) * head_dim + d] = sums[head];
}
// <<< LAB lab02.t2/values
