/// @file
/// Lab 5, task 3: what a prefix cache is good for. The contract: labs/lab05_paged_attention/include/paging.h.
#include <algorithm>

#include "labs/support/todo.h"
#include "paging.h"

namespace lab05 {

Reused reuse(const PrefixCache& cache, std::span<const TokenId> tokens, int64_t block_size) {
  // >>> LAB lab05.t3/reuse  about 6 lines   (edit only between the arrows)
  // TODO(lab05.t3): what match finds, but never the last token. How many blocks hold the rest?
  Reused reused{cache.match(tokens), 0};
  const int64_t all_but_last = std::max<int64_t>(int64_t(tokens.size()) - 1, 0);
  reused.length = std::min(int64_t(reused.blocks.size()) * block_size, all_but_last);
  reused.blocks.resize(size_t(blocks_for(reused.length, block_size)));
  return reused;
  // <<< LAB lab05.t3/reuse
}

std::optional<BlockId> take_block(BlockPool& pool, PrefixCache& cache) {
  // >>> LAB lab05.t3/take_block  about 6 lines   (edit only between the arrows)
  // TODO(lab05.t3): a free block; else make one free first. The cache must not find what is about to be overwritten.
  if (pool.free_blocks() == 0 && pool.cached_blocks() > 0) {
    const BlockId oldest = pool.cached().front();
    cache.forget(oldest);
    pool.discard(oldest);
  }
  return pool.take_free();
  // <<< LAB lab05.t3/take_block
}

}  // namespace lab05
