/// @file
/// Lab 5, task 3: which tokens lie in which block. The class is the engine's (stages/5_paged_attention/prefix_cache.h), and
/// these functions replace the engine's in its program; the contract: labs/lab05_paged_attention/include/paging.h.
///
/// What is private: entries_ maps a known block to its Entry (parent, children, hash, tokens); by_hash_ maps a hash to all
/// blocks that have it.
#include <algorithm>
#include <utility>

#include "kernels/check.h"
#include "labs/support/todo.h"
#include "paging.h"

namespace stagecraft {

uint64_t PrefixCache::mixed(uint64_t parent, std::span<const TokenId> tokens) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  const auto spread = [](uint64_t word) {
    word *= kOdd;
    return word ^ (word >> 32);
  };
  uint64_t hash = spread(parent + 1);
  for (const TokenId token : tokens) hash = spread(hash ^ uint64_t(token));
  return hash;
}

PrefixCache::PrefixCache(int64_t block_size, Hash hash) : block_size_(size_t(block_size)), hash_(std::move(hash)) {
  check(block_size >= 1, "a block holds a token");
}

const PrefixCache::Entry& PrefixCache::entry_of(BlockId block) const {
  const auto found = entries_.find(block);
  check(found != entries_.end(), "the cache knows the block");
  return found->second;
}

/// The hash of a chain that goes on from `parent` with `tokens`: of the parent's hash, so of all tokens before, and these.
uint64_t PrefixCache::hash_of(BlockId parent, std::span<const TokenId> tokens) const {
  constexpr uint64_t kHashOfNothing = 0;
  return hash_(parent == kNoParent ? kHashOfNothing : entry_of(parent).hash, tokens);
}

void PrefixCache::insert(BlockId block, BlockId parent, std::span<const TokenId> tokens) {
  // >>> LAB lab05.t3/insert  about 4 lines   (edit only between the arrows)
  // TODO(lab05.t3): make an entry, and make it findable by its hash. The parent, if there is one, has one child more.
  const uint64_t hash = hash_of(parent, tokens);
  if (parent != kNoParent) ++entries_.at(parent).children;
  entries_.emplace(block, Entry{parent, 0, hash, {tokens.begin(), tokens.end()}});
  by_hash_.emplace(hash, block);
  // <<< LAB lab05.t3/insert
}

std::optional<BlockId> PrefixCache::find(BlockId parent, std::span<const TokenId> tokens) const {
  // >>> LAB lab05.t3/find  about 7 lines   (edit only between the arrows)
  // TODO(lab05.t3): by_hash_.equal_range(hash) gives the candidates. Which of them is it, if any?
  const auto [first, last] = by_hash_.equal_range(hash_of(parent, tokens));
  for (auto candidate = first; candidate != last; ++candidate) {
    const Entry& entry = entry_of(candidate->second);
    if (entry.parent == parent && std::equal(tokens.begin(), tokens.end(), entry.tokens.begin(), entry.tokens.end())) {
      return candidate->second;
    }
  }
  return std::nullopt;
  // <<< LAB lab05.t3/find
}

std::vector<BlockId> PrefixCache::match(std::span<const TokenId> tokens) const {
  // >>> LAB lab05.t3/match  about 9 lines   (edit only between the arrows)
  // TODO(lab05.t3): walk along whole blocks of tokens for as long as each is known after the one before.
  std::vector<BlockId> chain;
  BlockId parent = kNoParent;
  for (; tokens.size() >= block_size_; tokens = tokens.subspan(block_size_)) {
    const std::optional<BlockId> block = find(parent, tokens.first(block_size_));
    if (!block) break;
    chain.push_back(*block);
    parent = *block;
  }
  return chain;
  // <<< LAB lab05.t3/match
}

void PrefixCache::forget(BlockId block) {
  // >>> LAB lab05.t3/forget  about 6 lines   (edit only between the arrows)
  // TODO(lab05.t3): the opposite of insert. Other blocks may have the same hash.
  const Entry& entry = entry_of(block);
  check(entry.children == 0, "a block is forgotten before its parent");
  if (entry.parent != kNoParent) --entries_.at(entry.parent).children;
  const auto [first, last] = by_hash_.equal_range(entry.hash);
  by_hash_.erase(std::find_if(first, last, [&](const auto& candidate) { return candidate.second == block; }));
  entries_.erase(block);
  // <<< LAB lab05.t3/forget
}

/// The engine asks from time to time.
void PrefixCache::check_invariants() const {
  check(by_hash_.size() == entries_.size(), "a known block has one hash");
  for (const auto& [block, entry] : entries_) {
    check(entry.tokens.size() == block_size_, "only whole blocks are known");
    check(entry.parent == kNoParent || knows(entry.parent), "a chain has no hole");
    check(find(entry.parent, entry.tokens) == block, "what is known can be found, and is known once");
  }
}

}  // namespace stagecraft
