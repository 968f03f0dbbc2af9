// must fail: lab05.t3.c4: the first of those cached
// Evicts what was wanted last.
// >>> LAB lab05.t3/take_block
if (pool.free_blocks() == 0 && pool.cached_blocks() > 0) {
  const auto leaf = std::find_if(pool.cached().rbegin(), pool.cached().rend(), [&](BlockId block) {
    return std::none_of(pool.cached().begin(), pool.cached().end(),
                        [&](BlockId other) { return cache.parent(other) == block; });
  });
  const BlockId newest = *leaf;
  cache.forget(newest);
  pool.discard(newest);
}
return pool.take_free();
// <<< LAB lab05.t3/take_block
