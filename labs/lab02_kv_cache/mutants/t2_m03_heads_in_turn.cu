// must fail: lab02.t2.c2: state
// The query heads of a block are taken in turn (h, h + kv_heads, ...) and not as the group that shares the key head.
// >>> LAB lab02.t2/load
for (int head = warp; head < group; head += kWarps) {
  const float* from = q + (int64_t(row) * heads.heads + kv_head + head * heads.kv_heads) * head_dim;
  for (int d = lane; d < head_dim; d += kWarp) query[head * head_dim + d] = from[d];
}
for (int key = warp; key < count; key += kWarps) {
  const T* from = keys + in_cache(key);
  for (int d = lane; d < head_dim; d += kWarp) tile[key * stride + d] = stagecraft::to_float(from[d]);
}
__syncthreads();
// <<< LAB lab02.t2/load
