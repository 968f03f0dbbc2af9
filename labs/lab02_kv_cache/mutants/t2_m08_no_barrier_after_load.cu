// must fail: lab02.t2.c5: shared memory
// No barrier after the load: a warp reads keys that another has not brought yet.
// >>> LAB lab02.t2/load
for (int head = warp; head < group; head += kWarps) {
  const float* from = q + (int64_t(row) * heads.heads + first_head + head) * head_dim;
  for (int d = lane; d < head_dim; d += kWarp) query[head * head_dim + d] = from[d];
}
for (int key = warp; key < count; key += kWarps) {
  const T* from = keys + in_cache(key);
  for (int d = lane; d < head_dim; d += kWarp) tile[key * stride + d] = stagecraft::to_float(from[d]);
}
// <<< LAB lab02.t2/load
