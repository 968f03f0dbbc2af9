/// @file
/// Lab 5, task 3: what a prefix cache is good for. The contract: labs/lab05_paged_attention/include/paging.h.
#include <algorithm>

#include "labs/support/todo.h"
#include "paging.h"

namespace lab05 {

Reused reuse(const PrefixCache& cache, std::span<const TokenId> tokens, int64_t block_size) {
  // >>> LAB lab05.t3/reuse  about 6 lines   (edit only between the arrows)
  // TODO(lab05.t3): what match finds, but never the last token. How many blocks hold the rest?
  LAB_TODO("lab05.t3");
  // <<< LAB lab05.t3/reuse
}

std::optional<BlockId> take_block(BlockPool& pool, PrefixCache& cache) {
  // >>> LAB lab05.t3/take_block  about 6 lines   (edit only between the arrows)
  // TODO(lab05.t3): a free block; else make one free first. The cache must not find what is about to be overwritten.
  LAB_TODO("lab05.t3");
  // <<< LAB lab05.t3/take_block
}

}  // namespace lab05
