// must fail: lab05.t2.c3: never written
// Whole blocks are read: the slots of the last one that hold no token, too.
// >>> LAB lab05.t2/scores
const int64_t block_size = int64_t{1} << kv.block_shift;
const int64_t last = end < length ? end : (end + block_size - 1) / block_size * block_size;
for (int64_t p = tile; p < last; ++p) {
  const float score = dot(query, keys + slot_of(table, p, kv.block_shift) * width, kv.head_dim) * scale;
  if (threadIdx.x == 0 && p < end) weights[p - tile] = score;
}
// <<< LAB lab05.t2/scores
