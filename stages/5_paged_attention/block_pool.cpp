/// @file
/// A stack of free blocks, a list of cached ones, and a count for those that are held.
#include "stages/5_paged_attention/block_pool.h"

#include <limits>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {

BlockPool::BlockPool(int64_t blocks) {
  constexpr int64_t kMost = std::numeric_limits<BlockId>::max();
  if (blocks < 1) throw BadInput(fmt::format("a KV pool of {} blocks holds nothing", blocks), "1 is the smallest");
  if (blocks > kMost) {
    throw BadInput(fmt::format("a KV pool of {} blocks has more than can be numbered", blocks),
                   fmt::format("{} is the most; larger blocks need fewer of them", kMost));
  }
  states_.assign(size_t(blocks), State::free);
  references_.assign(size_t(blocks), 0);
  positions_.assign(size_t(blocks), cached_.end());
  free_.reserve(size_t(blocks));
  for (int64_t block = blocks - 1; block >= 0; --block) free_.push_back(BlockId(block));
}

int BlockPool::references(BlockId block) const { return references_[index_of(block)]; }

std::optional<BlockId> BlockPool::take_free() {
  if (free_.empty()) return std::nullopt;
  const BlockId block = free_.back();
  free_.pop_back();
  states_[size_t(block)] = State::held;
  references_[size_t(block)] = 1;
  return block;
}

void BlockPool::share(BlockId block) {
  const size_t index = index_of(block);
  check(states_[index] != State::free, "a free block has no content to share");
  if (states_[index] == State::cached) cached_.erase(positions_[index]);
  states_[index] = State::held;
  ++references_[index];
}

void BlockPool::release(BlockId block, bool keep) {
  const size_t index = index_of(block);
  check(states_[index] == State::held, "only a held block can be released: this one is free already");
  if (--references_[index] > 0) return;
  states_[index] = keep ? State::cached : State::free;
  if (keep) {
    positions_[index] = cached_.insert(cached_.end(), block);
  } else {
    free_.push_back(block);
  }
}

void BlockPool::discard(BlockId block) {
  const size_t index = index_of(block);
  check(states_[index] == State::cached, "only a cached block can be discarded");
  cached_.erase(positions_[index]);
  states_[index] = State::free;
  free_.push_back(block);
}

void BlockPool::check_invariants() const {
  std::vector<bool> seen(states_.size(), false);
  const auto see = [&](BlockId block, State state) {
    const size_t index = index_of(block);
    check(!seen[index], "a block is in one list, once");
    check(states_[index] == state && references_[index] == 0, "a block in a list of unheld ones is not held");
    seen[index] = true;
  };
  for (const BlockId block : free_) see(block, State::free);
  for (const BlockId block : cached_) see(block, State::cached);
  for (size_t index = 0; index < states_.size(); ++index) {
    if (seen[index]) continue;
    check(states_[index] == State::held && references_[index] > 0, "a block that is in no list is held");
  }
}

size_t BlockPool::index_of(BlockId block) const {
  check(block >= 0 && size_t(block) < states_.size(), "a block lies inside the pool");
  return size_t(block);
}

}  // namespace stagecraft
