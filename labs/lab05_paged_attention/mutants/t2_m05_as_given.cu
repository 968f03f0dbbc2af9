// must fail: lab05.t2.c2: out[
// Nothing was changed: right only for blocks that lie one behind the other.
// >>> LAB lab05.t2/scores
const int64_t first_slot = int64_t(table[0]) << kv.block_shift;
for (int64_t p = tile; p < end; ++p) {
  const float score = dot(query, keys + (first_slot + p) * width, kv.head_dim) * scale;
  if (threadIdx.x == 0) weights[p - tile] = score;
}
// <<< LAB lab05.t2/scores
// >>> LAB lab05.t2/values
const int64_t slot_of_first = int64_t(table[0]) << kv.block_shift;
for (int64_t p = tile; p < end; ++p) {
  gathered.add(weights[p - tile], values + (slot_of_first + p) * width, kv.head_dim);
}
// <<< LAB lab05.t2/values
