// must fail: lab06.t2.c4: out_of_range
// A length beyond the blocks is taken for one inside.
// >>> LAB lab06.t2
const int64_t needed = (std::max<int64_t>(length, 0) + pool.block_size - 1) / pool.block_size;
while (int64_t(table.blocks.size()) > needed) {
  const int32_t block = table.blocks.back();
  table.blocks.pop_back();
  if (--pool.references[size_t(block)] == 0) pool.free.push_back(block);
}
table.stored = std::min(table.stored, length);
// <<< LAB lab06.t2
