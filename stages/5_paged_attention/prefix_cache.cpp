/// @file
/// Hash to candidates, tokens and parent to certainty.
#include "stages/5_paged_attention/prefix_cache.h"

#include <algorithm>
#include <utility>

#include "kernels/check.h"

namespace stagecraft {

// Multiply and fold, token by token. It has to spread, not to resist an attacker: a collision costs a comparison.
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

std::vector<BlockId> PrefixCache::match(std::span<const TokenId> tokens) const {
  std::vector<BlockId> chain;
  BlockId parent = kNoParent;
  for (; tokens.size() >= block_size_; tokens = tokens.subspan(block_size_)) {
    const std::optional<BlockId> block = find(parent, tokens.first(block_size_));
    if (!block) break;
    chain.push_back(*block);
    parent = *block;
  }
  return chain;
}

std::optional<BlockId> PrefixCache::find(BlockId parent, std::span<const TokenId> tokens) const {
  check(tokens.size() == block_size_, "only whole blocks are known");
  const auto [first, last] = by_hash_.equal_range(hash_of(parent, tokens));
  for (auto candidate = first; candidate != last; ++candidate) {
    const Entry& entry = entry_of(candidate->second);
    if (entry.parent == parent && std::equal(tokens.begin(), tokens.end(), entry.tokens.begin())) {
      return candidate->second;
    }
  }
  return std::nullopt;
}

void PrefixCache::insert(BlockId block, BlockId parent, std::span<const TokenId> tokens) {
  check(!knows(block), "a block is known for one content");
  check(!find(parent, tokens), "of equal blocks after the same parent one is known");
  const uint64_t hash = hash_of(parent, tokens);
  if (parent != kNoParent) ++entries_.at(parent).children;
  entries_.emplace(block, Entry{parent, 0, hash, {tokens.begin(), tokens.end()}});
  by_hash_.emplace(hash, block);
}

void PrefixCache::forget(BlockId block) {
  const Entry& entry = entry_of(block);
  check(entry.children == 0, "a block is forgotten before its parent");
  if (entry.parent != kNoParent) --entries_.at(entry.parent).children;
  const auto [first, last] = by_hash_.equal_range(entry.hash);
  by_hash_.erase(std::find_if(first, last, [&](const auto& candidate) { return candidate.second == block; }));
  entries_.erase(block);
}

void PrefixCache::check_invariants() const {
  check(by_hash_.size() == entries_.size(), "a known block has one hash");
  std::unordered_map<BlockId, int64_t> children;
  for (const auto& [block, entry] : entries_) {
    check(entry.tokens.size() == block_size_, "only whole blocks are known");
    check(entry.parent == kNoParent || knows(entry.parent), "a chain has no hole");
    check(find(entry.parent, entry.tokens) == block, "what is known can be found, and is known once");
    if (entry.parent != kNoParent) ++children[entry.parent];
  }
  for (const auto& [block, entry] : entries_) {
    check(entry.children == children[block], "a parent has as many children as follow on it");
  }
}

const PrefixCache::Entry& PrefixCache::entry_of(BlockId block) const {
  const auto found = entries_.find(block);
  check(found != entries_.end(), "the cache knows the block");
  return found->second;
}

uint64_t PrefixCache::hash_of(BlockId parent, std::span<const TokenId> tokens) const {
  constexpr uint64_t kHashOfNothing = 0;
  return hash_(parent == kNoParent ? kHashOfNothing : entry_of(parent).hash, tokens);
}

}  // namespace stagecraft
