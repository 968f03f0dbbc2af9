// must fail: lab05.t1.c4: a table of
// Takes blocks until there are none, and keeps them although they are too few.
// >>> LAB lab05.t1/grow
const int64_t all = blocks_for(upto, block_size);
while (int64_t(table.size()) < all) {
  const std::optional<BlockId> block = pool.take_free();
  if (!block) return false;
  table.push_back(*block);
}
return true;
// <<< LAB lab05.t1/grow
