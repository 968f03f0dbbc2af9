/// @file
/// How full the pool is, and of whom.
#include <algorithm>
#include <unordered_set>

#include "stages/5_paged_attention/paged_kv_store.h"

namespace stagecraft {

// Every block in a table is full, but for those where each holder's positions end inside.
KvUsage PagedKvStore::usage() const {
  struct End {
    int holders = 0;
    int64_t filled = 0;
  };
  std::unordered_map<BlockId, End> ends;  // blocks where a request ends inside
  for (const auto& [id, table] : tables_) {
    const int64_t filled = table.reserved % shape_.block_size;
    if (filled == 0) continue;
    End& end = ends[table.blocks.back()];
    ++end.holders;
    end.filled = std::max(end.filled, filled);
  }
  std::unordered_set<BlockId> for_copies;
  for (const BlockCopy& copy : copies_.waiting()) {
    if (only_for_a_copy(copy.from)) for_copies.insert(copy.from);
  }
  const int64_t reserved = (pool_.held_blocks() - int64_t(for_copies.size())) * shape_.block_size;
  int64_t used = reserved;
  for (const auto& [block, end] : ends) {
    if (end.holders == tables_with(block)) used -= shape_.block_size - end.filled;
  }
  return {reserved * shape_.bytes_per_token, used * shape_.bytes_per_token};
}

std::vector<int32_t> PagedKvStore::owners() const {
  std::vector<int32_t> owners(size_t(blocks()), BlockMap::kFree);
  for (const auto& [id, table] : tables_) {
    for (const BlockId block : table.blocks) {
      int32_t& owner = owners[size_t(block)];
      owner = owner == BlockMap::kFree ? id : BlockMap::kShared;
    }
  }
  for (const BlockId block : pool_.cached()) owners[size_t(block)] = BlockMap::kCached;
  for (const BlockCopy& copy : copies_.waiting()) {
    if (only_for_a_copy(copy.from)) owners[size_t(copy.from)] = BlockMap::kCached;
  }
  return owners;
}

}  // namespace stagecraft
