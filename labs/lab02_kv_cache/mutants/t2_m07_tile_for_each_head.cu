// must fail: lab02.t2.c6: sectors moved
// The tile is loaded again for each query head: what sharing heads saves is lost.
// >>> LAB lab02.t2/values
for (int head = 0; head < group; ++head) {
  for (int key = warp; key < count; key += kWarps) {
    const T* from = values + in_cache(key);
    for (int d = lane; d < head_dim; d += kWarp) tile[key * stride + d] = stagecraft::to_float(from[d]);
  }
  __syncthreads();
  for (int d = warp * kWarp + lane; d < head_dim; d += kWarps * kWarp) {
    float sum = 0.0f;
    for (int key = 0; key < count; ++key) {
      sum = fmaf(weights[head * kAttentionTile + key], tile[key * stride + d], sum);
    }
    out.values[state_of(head) * head_dim + d] = sum;
  }
  __syncthreads();
}
// <<< LAB lab02.t2/values
