/// @file
/// Block tables: how they grow, shrink and come back. Who shares what: paged_kv_sharing.cpp. What a picture or a report
/// shows: paged_kv_usage.cpp. What must always hold: paged_kv_invariants.cpp.
#include "stages/5_paged_attention/paged_kv_store.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

const PagedKvShape& checked(const PagedKvShape& shape) {
  constexpr int64_t kLargest = int64_t{1} << 30;
  const int64_t size = shape.block_size;
  if (size < 1) {
    throw BadInput(fmt::format("a KV block of {} tokens holds nothing", size), "1 is the smallest that works");
  }
  if (size > kLargest) {
    throw BadInput(fmt::format("a KV block of {} tokens is longer than any text", size),
                   fmt::format("{} is the largest that works", kLargest));
  }
  if (!std::has_single_bit(uint64_t(size))) {
    throw BadInput(fmt::format("a KV block of {} tokens: the size must be a power of two", size),
                   fmt::format("{} and {} are the nearest that work", std::bit_floor(uint64_t(size)),
                               std::bit_ceil(uint64_t(size))));
  }
  return shape;
}

}  // namespace

PagedKvStore::PagedKvStore(const PagedKvShape& shape) : shape_(checked(shape)), pool_(shape.blocks) {
  if (shape.prefix_cache) cache_.emplace(shape.block_size, shape.hash);
}

std::optional<std::string> PagedKvStore::refusal(int64_t length) const {
  if (blocks_for(length) <= blocks()) return std::nullopt;
  return fmt::format("it needs room for {} tokens in the KV cache, that is {} blocks of {}, and there are {}", length,
                     blocks_for(length), shape_.block_size, blocks());
}

bool PagedKvStore::reserve(const Request& request, int64_t upto) {
  check(upto >= 0, "a request cannot reserve less than nothing");
  if (upto <= reserved(request)) return true;
  const Table* const before = find_table(request.id);
  const Need need = need_of(before ? *before : Table{}, upto);
  if (need.blocks() > available_blocks()) return false;

  Table& table = tables_[request.id];
  if (need.copy) copy_on_write(table.blocks[size_t(table.stored() / shape_.block_size)]);
  for (int64_t i = 0; i < need.fresh; ++i) table.blocks.push_back(take_block());
  // Now that every unheld block has been taken, nothing known follows on it any more.
  if (need.forget) cache_->forget(table.blocks[size_t(table.stored() / shape_.block_size)]);
  table.reserved = upto;
  if (!table.has_room) {
    table.has_room = true;
    ++counts_.lookups;
    counts_.hit_tokens += table.stored();
  }
  return true;
}

int64_t PagedKvStore::blocks_needed(const Request& request, int64_t upto) const {
  const Table* const table = find_table(request.id);
  return need_of(table ? *table : Table{}, upto).blocks();
}

PagedKvStore::Need PagedKvStore::need_of(const Table& table, int64_t upto) const {
  if (upto <= table.reserved) return {};
  Need need;
  need.fresh = blocks_for(upto) - int64_t(table.blocks.size());
  if (table.stored() % shape_.block_size == 0) return need;  // what is written begins a block
  const BlockId first = table.blocks[size_t(table.stored() / shape_.block_size)];
  const bool others_hold_it = tables_with(first) > 1;
  if (!others_hold_it && !known(first)) return need;
  need.copy = others_hold_it || need.fresh < available_blocks();
  need.forget = !need.copy;
  return need;
}

void PagedKvStore::truncate(const Request& request, int64_t length) {
  Table& table = table_of(request);
  check(length >= 0 && length <= table.reserved, "a request is truncated to a length that it has reserved");
  while (int64_t(table.blocks.size()) > blocks_for(length)) {
    give_back(table.blocks.back());
    table.blocks.pop_back();
  }
  table.reserved = length;
  table.tokens.resize(size_t(std::min(table.stored(), length)));
  table.known = std::min(table.known, length / shape_.block_size);
  if (length == 0) tables_.erase(request.id);
}

// The last block first: see BlockPool on the order in which blocks are discarded.
void PagedKvStore::release(const Request& request) {
  const auto held = tables_.find(request.id);
  if (held == tables_.end()) return;
  std::vector<BlockId>& blocks = held->second.blocks;
  std::for_each(blocks.rbegin(), blocks.rend(), [this](BlockId block) { give_back(block); });
  tables_.erase(held);
}

int64_t PagedKvStore::reserved(const Request& request) const {
  const Table* const table = find_table(request.id);
  return table ? table->reserved : 0;
}

int64_t PagedKvStore::slot(const Request& request, int64_t position) const {
  check(position >= 0 && position < reserved(request), "only a position that is reserved has a slot");
  const int64_t block = block_table(request)[size_t(position / shape_.block_size)];
  return block * shape_.block_size + position % shape_.block_size;
}

std::span<const BlockId> PagedKvStore::block_table(const Request& request) const {
  const Table* const table = find_table(request.id);
  return table ? std::span<const BlockId>(table->blocks) : std::span<const BlockId>();
}

// A free block, or else the one that has not been wanted for longest.
BlockId PagedKvStore::take_block() {
  if (pool_.free_blocks() == 0) {
    check(pool_.cached_blocks() > 0, "whoever takes a block has made sure that there is one");
    const BlockId oldest = pool_.cached().front();
    cache_->forget(oldest);
    pool_.discard(oldest);
    ++counts_.evictions;
  }
  return *pool_.take_free();
}

void PagedKvStore::give_back(BlockId block) {
  pool_.release(block, known(block));
  if (pool_.references(block) > 0) return;
  // Nobody waits for its content: what was to be copied into it need not be kept for that.
  if (const std::optional<BlockId> source = copies_.cancel(block)) give_back(*source);
}

const PagedKvStore::Table* PagedKvStore::find_table(int id) const {
  const auto found = tables_.find(id);
  return found == tables_.end() ? nullptr : &found->second;
}

PagedKvStore::Table& PagedKvStore::table_of(const Request& request) {
  const auto found = tables_.find(request.id);
  check(found != tables_.end(), "the request holds blocks");
  return found->second;
}

}  // namespace stagecraft
