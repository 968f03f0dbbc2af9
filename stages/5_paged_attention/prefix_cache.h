#pragma once
/// @file
/// Which tokens lie in which block, so that a request whose prompt begins as another's did need not compute it again.
///
///     tokens   [you are a helpful] [assistant . hello] [wor ...          blocks of 4
///     known     block 7  <--------- block 2                              each follows on one parent
///                     ^------------ block 5  [assistant . good]          a tree; all chains begin at none
///
/// K and V of a token depend on every token before it. So a block is known by its tokens *and* its parent, and only
/// whole blocks are known: a hash of (the parent's hash, the tokens) finds candidates; then the tokens and the parent
/// are compared, and no collision of hashes can ever be taken for a hit. Two blocks of the same tokens after the same
/// parent would hold the same bits (EXACTNESS), so at most one of them is known.
///
/// A block is forgotten before its parent, or the chain would have a hole. Prefix caching by hashed blocks: vLLM; its
/// tree is what SGLang's RadixAttention (Zheng et al. 2024, arXiv 2312.07104) keeps with runs of any length.
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/kernels.h"
#include "stages/5_paged_attention/block_pool.h"

namespace stagecraft {

/// Parent of a block that is the first of its chain.
inline constexpr BlockId kNoParent = -1;

class PrefixCache {
 public:
  /// Of a block's tokens, given its parent's hash.
  using Hash = std::function<uint64_t(uint64_t parent, std::span<const TokenId> tokens)>;

  static uint64_t mixed(uint64_t parent, std::span<const TokenId> tokens);

  /// Knows nothing yet. A bad `hash` makes it slow, never wrong.
  explicit PrefixCache(int64_t block_size, Hash hash = mixed);

  /// The longest known chain of whole blocks that `tokens` begin with.
  std::vector<BlockId> match(std::span<const TokenId> tokens) const;

  /// The block of exactly these `tokens` (block_size) after `parent`, which is known or kNoParent.
  std::optional<BlockId> find(BlockId parent, std::span<const TokenId> tokens) const;

  /// From now on `block` is found. It is not known yet, nor is another one of the same `tokens` after `parent`.
  void insert(BlockId block, BlockId parent, std::span<const TokenId> tokens);

  /// `block`, which is known and nobody's parent, is not any more.
  void forget(BlockId block);

  bool knows(BlockId block) const { return entries_.count(block) > 0; }
  int64_t known_blocks() const { return int64_t(entries_.size()); }

  /// Of a known block.
  BlockId parent(BlockId block) const { return entry_of(block).parent; }
  std::span<const TokenId> tokens(BlockId block) const { return entry_of(block).tokens; }

  /// Throws std::logic_error unless every chain is whole and everything known can be found.
  void check_invariants() const;

 private:
  struct Entry {
    BlockId parent = kNoParent;
    int64_t children = 0;  // known blocks that follow on this one
    uint64_t hash = 0;     // of the chain up to here
    std::vector<TokenId> tokens;
  };

  const Entry& entry_of(BlockId block) const;
  uint64_t hash_of(BlockId parent, std::span<const TokenId> tokens) const;

  size_t block_size_;
  Hash hash_;
  std::unordered_map<BlockId, Entry> entries_;
  std::unordered_multimap<uint64_t, BlockId> by_hash_;
};

}  // namespace stagecraft
