/// @file
/// How blocks come to be in several tables, and how they are kept from being written there.
#include <algorithm>

#include "kernels/check.h"
#include "stages/5_paged_attention/paged_kv_store.h"

namespace stagecraft {

int64_t PagedKvStore::match_prefix(const Request& request) {
  const int64_t most = int64_t(request.tokens.size()) - 1;  // without computing the last token there is nothing to draw
  std::vector<BlockId> blocks;
  int64_t length = 0;
  if (cache_) {
    blocks = cache_->match(request.tokens);
    length = std::min(most, int64_t(blocks.size()) * shape_.block_size);
  }
  if (const Table* const sample = request.sample_of ? find_table(*request.sample_of) : nullptr) {
    const auto [differs, _] =
        std::mismatch(sample->tokens.begin(), sample->tokens.end(), request.tokens.begin(), request.tokens.end());
    const int64_t common = std::min<int64_t>(most, differs - sample->tokens.begin());
    if (common > length) {
      blocks = sample->blocks;
      length = common;
    }
  }
  share(request, blocks, length);
  return std::max<int64_t>(length, 0);
}

void PagedKvStore::fork(const Request& parent, const Request& child, int64_t length) {
  const Table& table = table_of(parent);
  check(length >= 0 && length <= table.stored(), "what a fork shares is committed");
  check(length <= int64_t(child.tokens.size()) &&
            std::equal(table.tokens.begin(), table.tokens.begin() + length, child.tokens.begin()),
        "a fork begins with its parent's tokens");
  share(child, table.blocks, length);
}

// The first `length` positions of `blocks` become those of `request`, too.
void PagedKvStore::share(const Request& request, std::span<const BlockId> blocks, int64_t length) {
  check(!find_table(request.id), "a request shares before it holds anything");
  if (length < 1) return;
  blocks = blocks.first(size_t(blocks_for(length)));
  for (const BlockId block : blocks) pool_.share(block);
  Table& table = tables_[request.id];
  table.blocks.assign(blocks.begin(), blocks.end());
  table.reserved = length;
  table.tokens.assign(request.tokens.begin(), request.tokens.begin() + length);
  table.known = cache_ ? length / shape_.block_size : 0;
}

// The old block is kept, for the copy and perhaps for others; its content stays known if it was.
void PagedKvStore::copy_on_write(BlockId& entry) {
  const BlockId own = take_block();
  pool_.share(copies_.add(entry, own));
  give_back(entry);
  entry = own;
  ++counts_.copies;
}

void PagedKvStore::commit(const Request& request, int64_t length) {
  Table& table = table_of(request);
  check(length >= table.stored() && length <= table.reserved, "what is committed goes on from what was, in its place");
  check(length <= int64_t(request.tokens.size()), "what is committed are known tokens, no guesses");
  check(copies_.waiting().empty(), "copies are taken before a step that stands on them is committed");
  table.tokens.insert(table.tokens.end(), request.tokens.begin() + table.stored(), request.tokens.begin() + length);
  if (!cache_) return;
  for (const int64_t full = length / shape_.block_size; table.known < full; ++table.known) {
    publish(table, size_t(table.known));
  }
}

// Makes block `index` of `table` known, or puts the equal one that is known already in its place.
void PagedKvStore::publish(Table& table, size_t index) {
  const size_t size = size_t(shape_.block_size);
  const auto tokens = std::span<const TokenId>(table.tokens).subspan(index * size, size);
  const BlockId parent = index == 0 ? kNoParent : table.blocks[index - 1];
  BlockId& own = table.blocks[index];
  if (const std::optional<BlockId> equal = cache_->find(parent, tokens)) {
    pool_.share(*equal);
    give_back(own);
    own = *equal;
  } else {
    cache_->insert(own, parent, tokens);
  }
}

std::vector<BlockCopy> PagedKvStore::take_copies() {
  std::vector<BlockCopy> copies = copies_.take();
  for (const BlockCopy& copy : copies) give_back(copy.from);
  return copies;
}

}  // namespace stagecraft
