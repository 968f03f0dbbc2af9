#pragma once
/// @file
/// The KV store of paged attention (PagedAttention; Kwon et al., SOSP 2023, arXiv 2309.06180). The pool is cut into
/// blocks of a fixed size; a request has a table of the blocks it holds, takes one more when it has filled the last, and
/// pays for no more than it uses: less than one block a request is ever empty.
///
///     positions of request 7     0 ... 3   4 ... 7   8 ... 11            block size 4
///     its block table           [   5    |    2    |    9    ]           any blocks, in any order
///     slot of position 6         2 * 4 + 6 % 4 = 10
///
/// **Sharing.** A block may be in several tables: prefixes found in the cache, samples of one prompt, beams (fork()). A
/// write never changes what another request reads: before a request writes into a block that others hold too, or that
/// the prefix cache knows, it gets a block of its own, and a copy is noted for the device (copy-on-write). Only the
/// block that holds the first position to be written can be such a block; those behind it are fresh.
///
/// **What is known.** commit() tells the prefix cache of full blocks: tokens that are final and stored, never drafts,
/// never a block whose step is still under way. If an equal block is known already (two requests with one prompt, side
/// by side), the request takes that one and gives its own back: the bits are the same. So whoever holds a known block
/// holds all it follows on, and blocks that nobody holds are discarded from the ends of chains.
///
/// **Stale tables.** Entries of a table may change in reserve() and in commit(). Ask again for each step.
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "stages/5_paged_attention/block_pool.h"
#include "stages/5_paged_attention/pending_copies.h"
#include "stages/5_paged_attention/prefix_cache.h"
#include "stages/core/block_map.h"
#include "stages/core/kv_store.h"

namespace stagecraft {

struct PagedKvShape {
  static constexpr int64_t kDefaultBlockSize = 16;

  int64_t blocks = 1;
  int64_t block_size = kDefaultBlockSize;  // tokens; a power of two, for a slot is then a shift and a mask away
  int64_t bytes_per_token = 0;             // ModelConfig::kv_bytes_per_token
  bool prefix_cache = true;                // off: only samples of one prompt, and forks, share blocks
  PrefixCache::Hash hash = PrefixCache::mixed;
};

/// What sharing has done so far.
struct SharingCounts {
  int64_t lookups = 0;     // requests that got room; again after a preemption, once however long they had to wait
  int64_t hit_tokens = 0;  // tokens that these found stored already
  int64_t copies = 0;      // blocks copied on write
  int64_t evictions = 0;   // known blocks that were discarded for others
};

class PagedKvStore final : public KvStore {
 public:
  /// Throws BadInput if the block size is no power of two, or there is no block.
  explicit PagedKvStore(const PagedKvShape& shape);

  std::optional<std::string> refusal(int64_t length) const override;
  [[nodiscard]] bool reserve(const Request& request, int64_t upto) override;
  void truncate(const Request& request, int64_t length) override;
  void release(const Request& request) override;
  int64_t reserved(const Request& request) const override;
  int64_t slot(const Request& request, int64_t position) const override;
  std::optional<int64_t> block_size() const override { return shape_.block_size; }

  /// Shares with the request it is a sample of, or with whoever had the same tokens, whichever gives more.
  int64_t match_prefix(const Request& request) override;

  /// Copies that were noted must have been taken: the step that is committed stands on them.
  void commit(const Request& request, int64_t length) override;
  [[nodiscard]] std::vector<BlockCopy> take_copies() override;

  int holders() const override { return int(tables_.size()); }

  /// Reserved: blocks in tables, each counted once. Used: positions reserved in them, those that are shared counted
  /// once.
  KvUsage usage() const override;
  void check_invariants() const override;

  /// `child`, which holds nothing, shares the blocks of `parent` that hold positions [0, length), also a last one that
  /// is filled in part; whoever writes into that first gets a copy. `length` positions of `parent` are committed, and
  /// `child` has the same tokens there. Beams, and samples of one prompt.
  void fork(const Request& parent, const Request& child, int64_t length);

  /// Blocks of `request` in the order of its positions; empty if it holds nothing. Valid until the store changes.
  std::span<const BlockId> block_table(const Request& request) const;

  int64_t blocks() const { return pool_.blocks(); }
  int64_t free_blocks() const { return pool_.free_blocks(); }
  int64_t cached_blocks() const { return pool_.cached_blocks(); }  // held by nobody, still known

  /// Blocks that reserve() can give out.
  int64_t available_blocks() const { return free_blocks() + cached_blocks(); }

  /// How many of them reserve(request, upto) would take: it succeeds if there are as many.
  int64_t blocks_needed(const Request& request, int64_t upto) const;

  const SharingCounts& sharing() const { return counts_; }

  /// For each block the id of the request that holds it, or a constant of BlockMap: (blocks). For the picture.
  std::vector<int32_t> owners() const;

 private:
  struct Table {
    std::vector<BlockId> blocks;
    int64_t reserved = 0;         // positions [0, reserved) have a place
    std::vector<TokenId> tokens;  // those that are committed: positions [0, tokens.size()) are stored and final
    int64_t known = 0;            // so many of the first blocks are known to the cache
    bool has_room = false;        // reserve() has succeeded

    int64_t stored() const { return int64_t(tokens.size()); }
  };

  /// What it takes to reserve more.
  struct Need {
    int64_t fresh = 0;    // blocks behind those in the table
    bool copy = false;    // the block that is written first is copied
    bool forget = false;  // or, where there is no room for that, the cache forgets it
    int64_t blocks() const { return fresh + (copy ? 1 : 0); }
  };

  int64_t blocks_for(int64_t positions) const { return (positions + shape_.block_size - 1) / shape_.block_size; }
  const Table* find_table(int id) const;
  Table& table_of(const Request& request);
  Need need_of(const Table& table, int64_t upto) const;
  BlockId take_block();
  void give_back(BlockId block);
  void copy_on_write(BlockId& entry);
  void publish(Table& table, size_t index);
  void share(const Request& request, std::span<const BlockId> blocks, int64_t length);
  bool known(BlockId block) const { return cache_ && cache_->knows(block); }
  int tables_with(BlockId block) const { return pool_.references(block) - copies_.readers(block); }
  bool only_for_a_copy(BlockId block) const { return pool_.references(block) > 0 && tables_with(block) == 0; }

  void check_table(const Table& table) const;
  void check_references() const;
  void check_cached_blocks() const;
  void check_copies() const;

  PagedKvShape shape_;
  BlockPool pool_;
  std::optional<PrefixCache> cache_;
  PendingCopies copies_;
  std::unordered_map<int, Table> tables_;  // by request id; each holds a block at least
  SharingCounts counts_;
};

}  // namespace stagecraft
