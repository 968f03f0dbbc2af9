// must fail: lab06.t2.c4: blocks
// The length is looked at when the blocks are gone.
// >>> LAB lab06.t2
const int64_t room = int64_t(table.blocks.size()) * pool.block_size;
const int64_t needed = (std::max<int64_t>(length, 0) + pool.block_size - 1) / pool.block_size;
while (int64_t(table.blocks.size()) > needed) {
  const int32_t block = table.blocks.back();
  table.blocks.pop_back();
  if (--pool.references[size_t(block)] == 0) pool.free.push_back(block);
}
table.stored = std::min(table.stored, std::max<int64_t>(length, 0));
if (length < 0 || length > room) throw std::out_of_range("a length for which there are no blocks");
// <<< LAB lab06.t2
