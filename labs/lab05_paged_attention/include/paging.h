#pragma once
/// @file
/// The contract of lab 5, tasks 1, 3, 4 and 6: the books of paged attention, on the host. Tasks 2 and 5 are in kernels.h.
///
/// Three classes are the engine's own, and your functions take the place of the engine's when its program is linked:
///
/// | task | class                     | you write                                  | documented in                          |
/// |------|---------------------------|--------------------------------------------|----------------------------------------|
/// | t1   | stagecraft::BlockPool     | references, take_free, share, release, ... | stages/5_paged_attention/block_pool.h  |
/// | t3   | stagecraft::PrefixCache   | match, find, insert, forget                | stages/5_paged_attention/prefix_cache.h |
/// | t4   | stagecraft::PagedScheduler | lets_in, make_room                        | stages/5_paged_attention/paged_scheduler.h |
///
/// "Refused" means: std::logic_error, as stagecraft::check (kernels/check.h) throws it, and nothing has changed.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stages/5_paged_attention/block_pool.h"
#include "stages/5_paged_attention/prefix_cache.h"

namespace lab05 {

using stagecraft::BlockId;
using stagecraft::BlockPool;
using stagecraft::PrefixCache;
using stagecraft::TokenId;

/// Blocks that hold `positions` tokens.
constexpr int64_t blocks_for(int64_t positions, int64_t block_size) {
  return (positions + block_size - 1) / block_size;
}

// lab05.t1: BlockPool, and block tables on top of it.
//
// - lab05.t1.c1: take_free gives each block to one holder, with one reference; with all blocks out it gives nothing.
// - lab05.t1.c2: share adds a holder, release takes one away. Without the last one the block is free, or cached behind all
//   other cached ones if its content is to be kept. share takes a cached block out of the list; discard frees it.
// - lab05.t1.c3: refused: to share a free block, to release one that nobody holds, to discard one that is not cached, and a
//   block that is not of the pool.

/// Blocks are appended to `table` until it has room for positions [0, upto). False if the pool has too few free ones.
///
/// - lab05.t1.c4: all or nothing: on false, table and pool are as before. No block more than needed is taken, and those in
///   the table stay where they are. An `upto` below what the table has room for changes nothing.
[[nodiscard]] bool grow(BlockPool& pool, std::vector<BlockId>& table, int64_t block_size, int64_t upto);

/// All of the table's references go, and the table is empty.
///
/// - lab05.t1.c5: the last block first, so that it lies in the list of cached ones before the block it follows on.
void give_back(BlockPool& pool, std::vector<BlockId>& table, bool keep);

// lab05.t3: PrefixCache, and what is made of it.
//
// - lab05.t3.c1: find gives the block of exactly these tokens after exactly this parent, also where hashes collide, and
//   until it is forgotten.
// - lab05.t3.c2: match gives the longest chain of whole known blocks that the tokens begin with.

/// What a request takes over of what others have computed.
struct Reused {
  std::vector<BlockId> blocks;  // in the order of positions
  int64_t length = 0;           // positions [0, length) need not be computed
};

/// What `cache` knows of a request's `tokens`. Nothing changes.
///
/// - lab05.t3.c3: all that match finds, but never the last token: without computing it there are no logits. `blocks` are
///   those that hold [0, length), the last of them perhaps in part.
Reused reuse(const PrefixCache& cache, std::span<const TokenId> tokens, int64_t block_size);

/// A block for new content, held once; nothing if all are held.
///
/// - lab05.t3.c4: a free block if there is one; else the cached block that has not been wanted for longest is forgotten,
///   discarded and taken. A block that is held is never taken.
/// - lab05.t3.c5: in the engine's own KV store, your pool and cache find as many tokens again, evict and copy as many blocks
///   as the engine's.
std::optional<BlockId> take_block(BlockPool& pool, PrefixCache& cache);

// lab05.t4: PagedScheduler, and what a preemption costs.
//
// - lab05.t4.c1: make_room preempts one request and returns true: of those that may be (preemptible()), the one that was let
//   in last. If there is only one, it is alone or all others have their place in this step: then false, and nothing happens.
// - lab05.t4.c2: every request ends, whatever the load: the oldest always gets on.
// - lab05.t4.c3: lets_in: all known tokens of the newcomer fit now, and then watermark_blocks_ blocks are still available.
// - lab05.t4.c4: no more tokens are computed again than by the engine's own scheduler.

/// What comes of preempting one request.
struct PreemptionCost {
  int64_t blocks = 0;  // that become available
  int64_t tokens = 0;  // that will be computed again
};

/// For a request with this block `table` whose first `computed` tokens are stored. With a prefix cache whole blocks are
/// known, and none of those that become available is given away before the request comes back.
///
/// - lab05.t4.c5: blocks: those that nobody else holds; a shared one only loses a holder. tokens: without a prefix cache all
///   that are computed; with one, what lies in whole blocks is found again.
PreemptionCost preemption_cost(const BlockPool& pool, std::span<const BlockId> table, int64_t computed,
                               int64_t block_size, bool prefix_cache);

/// Everything that a pool and its users say about the blocks, at one moment.
struct Books {
  int64_t blocks = 0;                        // of the pool; ids are 0 ... blocks - 1
  std::vector<std::vector<BlockId>> tables;  // of the requests; a table names no block twice
  std::vector<int64_t> references;           // (blocks): how many hold each
  std::vector<BlockId> free, cached;         // in any order
};

/// lab05.t6: a test of a block manager. Returns "" for books that are right, and else what is wrong, in a few words.
///
/// Right: every block is exactly one of free, cached and held, and in one list once; a held block has as many references as
/// tables name it; a free or cached one has none, and no table names it.
///
/// - lab05.t6.c1: a table that names a block which is free or cached, or not of the pool, is found.
/// - lab05.t6.c2: references that are not the number of tables are found.
/// - lab05.t6.c3: a block that is nowhere, or in two places, is found.
/// - Each of these checks shows right books too: who blames them gets nothing.
std::string fault_in(const Books& books);

}  // namespace lab05
