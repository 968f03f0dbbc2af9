// must fail: lab02.t2.c2: state
// Every tile reads the keys of the first: where the tile starts is forgotten.
// >>> LAB lab02.t2/load
for (int head = warp; head < group; head += kWarps) {
  const float* from = q + (int64_t(row) * heads.heads + first_head + head) * head_dim;
  for (int d = lane; d < head_dim; d += kWarp) query[head * head_dim + d] = from[d];
}
for (int key = warp; key < count; key += kWarps) {
  const T* from = keys + in_cache(key - int(start));
  for (int d = lane; d < head_dim; d += kWarp) tile[key * stride + d] = stagecraft::to_float(from[d]);
}
__syncthreads();
// <<< LAB lab02.t2/load
// >>> LAB lab02.t2/values
for (int key = warp; key < count; key += kWarps) {
  const T* from = values + in_cache(key - int(start));
  for (int d = lane; d < head_dim; d += kWarp) tile[key * stride + d] = stagecraft::to_float(from[d]);
}
__syncthreads();
for (int head = warp; head < group; head += kWarps) {
  for (int d = lane; d < head_dim; d += kWarp) {
    float sum = 0.0f;
    for (int key = 0; key < count; ++key) {
      sum = fmaf(weights[head * kAttentionTile + key], tile[key * stride + d], sum);
    }
    out.values[state_of(head) * head_dim + d] = sum;
  }
}
// <<< LAB lab02.t2/values
