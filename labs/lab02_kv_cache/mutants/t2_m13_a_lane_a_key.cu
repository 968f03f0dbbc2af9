// must fail: lab02.t2.c6: sectors moved
// Each lane brings a key by itself: 32 lanes read 32 rows, and each element moves a sector.
// >>> LAB lab02.t2/load
for (int head = warp; head < group; head += kWarps) {
  const float* from = q + (int64_t(row) * heads.heads + first_head + head) * head_dim;
  for (int d = lane; d < head_dim; d += kWarp) query[head * head_dim + d] = from[d];
}
for (int key = warp * kWarp + lane; key < count; key += kWarps * kWarp) {
  const T* from = keys + in_cache(key);
  for (int d = 0; d < head_dim; ++d) tile[key * stride + d] = stagecraft::to_float(from[d]);
}
__syncthreads();
// <<< LAB lab02.t2/load
