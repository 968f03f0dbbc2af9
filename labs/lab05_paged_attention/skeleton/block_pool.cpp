/// @file
/// Lab 5, task 1: the blocks of the pool. The class is the engine's (stages/5_paged_attention/block_pool.h), and these
/// functions replace the engine's in its program; the contract is in labs/lab05_paged_attention/include/paging.h.
///
/// What is private: states_, references_ and positions_ have an entry for each block; free_ and cached_ are lists of blocks.
#include <limits>
#include <string>

#include "kernels/check.h"
#include "labs/support/todo.h"
#include "paging.h"

namespace stagecraft {

BlockPool::BlockPool(int64_t blocks) {
  constexpr int64_t kMost = std::numeric_limits<BlockId>::max();
  if (blocks < 1 || blocks > kMost) {
    throw BadInput("a KV pool of " + std::to_string(blocks) + " blocks", "1 to " + std::to_string(kMost) + " work");
  }
  states_.assign(size_t(blocks), State::free);
  references_.assign(size_t(blocks), 0);
  positions_.assign(size_t(blocks), cached_.end());
  for (int64_t block = blocks - 1; block >= 0; --block) free_.push_back(BlockId(block));
}

/// Where `block` stands in the vectors. Refuses what is no block of the pool.
size_t BlockPool::index_of(BlockId block) const {
  check(block >= 0 && size_t(block) < states_.size(), "a block lies inside the pool");
  return size_t(block);
}

int BlockPool::references(BlockId block) const { return references_[index_of(block)]; }

std::optional<BlockId> BlockPool::take_free() {
  // >>> LAB lab05.t1/take_free  about 6 lines   (edit only between the arrows)
  // TODO(lab05.t1): take the last block of free_; it is held once from now on. No block left is an answer, no error.
  LAB_TODO("lab05.t1");
  // <<< LAB lab05.t1/take_free
}

void BlockPool::share(BlockId block) {
  // >>> LAB lab05.t1/share  about 5 lines   (edit only between the arrows)
  // TODO(lab05.t1): one holder more. A block that was cached leaves the list: positions_ says where in it the block is.
  // check(condition, "what should hold") refuses; index_of refuses what is no block.
  LAB_TODO("lab05.t1");
  // <<< LAB lab05.t1/share
}

void BlockPool::release(BlockId block, bool keep) {
  // >>> LAB lab05.t1/release  about 10 lines   (edit only between the arrows)
  // TODO(lab05.t1): one holder less. If that was the last one, the block is cached (remember its position) or free.
  LAB_TODO("lab05.t1");
  // <<< LAB lab05.t1/release
}

void BlockPool::discard(BlockId block) {
  // >>> LAB lab05.t1/discard  about 5 lines   (edit only between the arrows)
  // TODO(lab05.t1): the content of a cached block is given up: it is free.
  LAB_TODO("lab05.t1");
  // <<< LAB lab05.t1/discard
}

/// The engine asks from time to time. Each block is in free_ or in cached_ and held by nobody, or in neither and held.
void BlockPool::check_invariants() const {
  std::vector<int> listed(states_.size(), 0);
  for (const BlockId block : free_) ++listed[index_of(block)];
  for (const BlockId block : cached_) ++listed[index_of(block)];
  for (size_t index = 0; index < listed.size(); ++index) {
    check(listed[index] + (references_[index] > 0 ? 1 : 0) == 1, "a block is exactly one of free, cached and held");
  }
}

}  // namespace stagecraft
