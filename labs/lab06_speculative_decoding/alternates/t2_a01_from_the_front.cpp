// must pass: lab06.t2
// The blocks behind the last one that is needed are given back front to back, then cut off at once.
// >>> LAB lab06.t2
const auto held = int64_t(table.blocks.size());
int64_t needed = 0;
while (needed < held && needed * pool.block_size < length) ++needed;
if (length < 0 || needed * pool.block_size < length) throw std::out_of_range("a length for which there are no blocks");
for (int64_t i = needed; i < held; ++i) {
  const auto block = size_t(table.blocks[size_t(i)]);
  pool.references[block] -= 1;
  if (pool.references[block] == 0) pool.free.insert(pool.free.begin(), table.blocks[size_t(i)]);
}
table.blocks.erase(table.blocks.begin() + needed, table.blocks.end());
if (table.stored > length) table.stored = length;
// <<< LAB lab06.t2
