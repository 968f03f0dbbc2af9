/// @file
/// What must hold between any two calls of the store, whatever has happened. Tests check it after every step.
#include <algorithm>
#include <unordered_set>

#include "kernels/check.h"
#include "stages/5_paged_attention/paged_kv_store.h"

namespace stagecraft {

void PagedKvStore::check_invariants() const {
  pool_.check_invariants();
  check_references();
  for (const auto& [id, table] : tables_) check_table(table);
  check_copies();
  if (cache_) {
    cache_->check_invariants();
    check_cached_blocks();
  } else {
    check(pool_.cached_blocks() == 0, "without a prefix cache nothing is kept");
  }
}

// Free, cached and held are disjoint (BlockPool), and held are exactly those that are named somewhere.
void PagedKvStore::check_references() const {
  std::vector<int> named(size_t(blocks()), 0);
  for (const auto& [id, table] : tables_) {
    for (const BlockId block : table.blocks) ++named[size_t(block)];
  }
  for (const BlockCopy& copy : copies_.waiting()) ++named[size_t(copy.from)];
  for (int64_t block = 0; block < blocks(); ++block) {
    check(pool_.references(BlockId(block)) == named[size_t(block)], "a block is held as often as it is named");
  }
}

void PagedKvStore::check_table(const Table& table) const {
  const int64_t size = shape_.block_size;
  check(table.reserved > 0, "a request in the books holds something");
  check(int64_t(table.blocks.size()) == blocks_for(table.reserved), "a table is as long as its positions need");
  check(table.stored() <= table.reserved, "what is stored has a place");
  check(table.known == (cache_ ? table.stored() / size : 0), "full blocks are known, others are not");
  check(std::unordered_set<BlockId>(table.blocks.begin(), table.blocks.end()).size() == table.blocks.size(),
        "a block is in a table once");
  for (int64_t i = 0; i < int64_t(table.blocks.size()); ++i) {
    const BlockId block = table.blocks[size_t(i)];
    if (i < table.known) {
      check(known(block), "a full block is known");
      check(cache_->parent(block) == (i == 0 ? kNoParent : table.blocks[size_t(i - 1)]), "a table is one chain");
      const auto tokens = cache_->tokens(block);
      check(std::equal(tokens.begin(), tokens.end(), table.tokens.begin() + i * size), "a block has its tokens");
    } else if (i * size >= table.stored()) {
      check(tables_with(block) == 1 && !known(block), "a block that is yet to be written is its request's alone");
    }
  }
}

void PagedKvStore::check_cached_blocks() const {
  int64_t unheld = 0;
  std::unordered_set<BlockId> discarded_before;
  for (const BlockId block : pool_.cached()) {
    check(cache_->knows(block), "what is kept can be found");
    check(!discarded_before.count(cache_->parent(block)), "a block is discarded before the one it follows on");
    discarded_before.insert(block);
    ++unheld;
  }
  int64_t held = 0;
  for (int64_t block = 0; block < blocks(); ++block) {
    held += known(BlockId(block)) && pool_.references(BlockId(block)) > 0 ? 1 : 0;
  }
  check(unheld + held == cache_->known_blocks(), "what is known is held or kept");
}

void PagedKvStore::check_copies() const {
  std::unordered_set<BlockId> targets;
  for (const BlockCopy& copy : copies_.waiting()) {
    check(targets.insert(copy.to).second, "a block is the target of one copy");
    check(tables_with(copy.to) > 0 && !known(copy.to), "what is copied into is in a table, and not known yet");
  }
  for (const BlockCopy& copy : copies_.waiting()) check(!targets.count(copy.from), "no copy reads what another writes");
}

}  // namespace stagecraft
