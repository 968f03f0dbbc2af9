// must fail: lab06.t2.c3: stored
// stored = length, also where less was stored: garbage is read as keys and values.
// >>> LAB lab06.t2
if (length < 0 || length > int64_t(table.blocks.size()) * pool.block_size) {
  throw std::out_of_range("a table is truncated to a length for which it has blocks");
}
const int64_t needed = (length + pool.block_size - 1) / pool.block_size;
while (int64_t(table.blocks.size()) > needed) {
  const int32_t block = table.blocks.back();
  table.blocks.pop_back();
  if (--pool.references[size_t(block)] == 0) pool.free.push_back(block);
}
table.stored = length;
// <<< LAB lab06.t2
