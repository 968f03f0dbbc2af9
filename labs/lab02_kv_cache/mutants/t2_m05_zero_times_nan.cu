// must fail: lab02.t2.c4: values
// All 64 values are taken, those not seen with weight 0: 0 times NaN is NaN.
// >>> LAB lab02.t2/values
for (int key = warp; key < kAttentionTile; key += kWarps) {
  const T* from = values + in_cache(key);
  for (int d = lane; d < head_dim; d += kWarp) tile[key * stride + d] = stagecraft::to_float(from[d]);
}
__syncthreads();
for (int head = warp; head < group; head += kWarps) {
  for (int d = lane; d < head_dim; d += kWarp) {
    float sum = 0.0f;
    for (int key = 0; key < kAttentionTile; ++key) {
      sum = fmaf(weights[head * kAttentionTile + key], tile[key * stride + d], sum);
    }
    out.values[state_of(head) * head_dim + d] = sum;
  }
}
// <<< LAB lab02.t2/values
