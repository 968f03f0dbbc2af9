// must fail: lab06.t2.c2: references
// The blocks leave the table and nobody has them: a leak.
// >>> LAB lab06.t2
if (length < 0 || length > int64_t(table.blocks.size()) * pool.block_size) {
  throw std::out_of_range("a table is truncated to a length for which it has blocks");
}
table.blocks.resize(size_t((length + pool.block_size - 1) / pool.block_size));
table.stored = std::min(table.stored, length);
// <<< LAB lab06.t2
