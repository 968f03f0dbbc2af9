#pragma once
/// @file
/// The blocks of the KV pool and what each is right now:
///
///                take_free               release, content not wanted
///     [ free ] ------------> [ held ] ----------------------------------> [ free ]
///         ^                   ^    |
///         |             share |    | release, content may be wanted again
///         |                   |    v
///         +---------------- [ cached ]     oldest first: who has not been wanted for longest goes first
///              discard
///
/// A held block has as many references as there are block tables (or copies under way) that name it. A cached one has
/// none: its content is kept until the room is needed. Whoever gives back a chain of blocks gives back the last one
/// first, so a block lies in the list before the one it follows on, and is discarded before it: what remains of a chain
/// is always its beginning, and never has a hole.
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace stagecraft {

/// Number of a block in the pool, from 0. 32 bits: a block table is read on the device (PagedAddress). Slots, which are
/// block * block_size, take 64.
using BlockId = int32_t;

class BlockPool {
 public:
  /// Throws BadInput if there is no block, or more than a BlockId can number.
  explicit BlockPool(int64_t blocks);

  int64_t blocks() const { return int64_t(states_.size()); }
  int64_t free_blocks() const { return int64_t(free_.size()); }
  int64_t cached_blocks() const { return int64_t(cached_.size()); }
  int64_t held_blocks() const { return blocks() - free_blocks() - cached_blocks(); }

  /// How many hold `block`.
  int references(BlockId block) const;

  /// A free block, now held once; nothing if there is none.
  std::optional<BlockId> take_free();

  /// One more holder of a block that is held or cached.
  void share(BlockId block);

  /// One holder less. A block that was held once is free again, or cached if it is to `keep` its content.
  void release(BlockId block, bool keep);

  /// Cached blocks, those first that are to be discarded first.
  const std::list<BlockId>& cached() const { return cached_; }

  /// A cached block's content is given up: it is free.
  void discard(BlockId block);

  /// Throws std::logic_error unless every block is exactly one of free, cached and held.
  void check_invariants() const;

 private:
  enum class State : uint8_t { free, cached, held };

  size_t index_of(BlockId block) const;

  std::vector<State> states_;                            // (blocks)
  std::vector<int> references_;                          // (blocks)
  std::vector<std::list<BlockId>::iterator> positions_;  // (blocks); of a cached block in `cached_`
  std::vector<BlockId> free_;                            // the next one handed out is the last
  std::list<BlockId> cached_;                            // oldest first
};

}  // namespace stagecraft
