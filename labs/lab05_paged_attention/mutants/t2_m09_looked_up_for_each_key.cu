// must fail: lab05.t2.c4: sectors moved by loads
// The table is looked up for each key and each value: right, and a sector more for each.
// >>> LAB lab05.t2/scores
for (int64_t p = tile; p < end; ++p) {
  const float score = dot(query, keys + slot_of(table, p, kv.block_shift) * width, kv.head_dim) * scale;
  if (threadIdx.x == 0) weights[p - tile] = score;
}
// <<< LAB lab05.t2/scores
// >>> LAB lab05.t2/values
for (int64_t p = tile; p < end; ++p) {
  gathered.add(weights[p - tile], values + slot_of(table, p, kv.block_shift) * width, kv.head_dim);
}
// <<< LAB lab05.t2/values
