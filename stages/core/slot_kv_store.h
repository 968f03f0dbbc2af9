#pragma once
/// @file
/// The simplest KV store: the pool is cut into equal regions, and a request owns one from its first token to its last.
///
///     slot     0                 L                 2L                3L
///              |#######..........|##...............|                 |      # stored   . reserved, still empty
///     holder         request 7         request 4        (free)
///
/// Nothing moves and no table is needed: position p lies in first_slot + p. The price is that every request pays for
/// the longest one allowed, whatever it turns out to need (the "reserve max" way that paging replaces).
#include <unordered_map>
#include <vector>

#include "stages/core/kv_store.h"

namespace stagecraft {

/// Shape of a SlotKvStore; the pool that goes with it has max_running * slots_per_request slots.
struct SlotKvShape {
  int max_running = 1;            // regions
  int64_t slots_per_request = 1;  // length of a region, in tokens
  int64_t bytes_per_token = 0;    // ModelConfig::kv_bytes_per_token
};

class SlotKvStore final : public KvStore {
 public:
  /// Throws BadInput if there is no region, or none that holds a token.
  explicit SlotKvStore(const SlotKvShape& shape);

  std::optional<std::string> refusal(int64_t length) const override;
  [[nodiscard]] bool reserve(const Request& request, int64_t upto) override;
  void truncate(const Request& request, int64_t length) override;
  void release(const Request& request) override;
  int64_t reserved(const Request& request) const override;
  int64_t slot(const Request& request, int64_t position) const override;
  int holders() const override { return int(regions_.size()); }
  KvUsage usage() const override;
  void check_invariants() const override;

  /// Where position 0 of `request` lies: its entry of ContiguousAddress::first_slot. The request holds a region.
  int64_t first_slot(const Request& request) const;

  /// Slots that the KV pool must have.
  int64_t slots() const { return int64_t(shape_.max_running) * shape_.slots_per_request; }

 private:
  struct Region {
    int index = 0;
    int64_t used = 0;  // positions [0, used) are, or are about to be, stored
  };

  const Region& region_of(const Request& request) const;

  SlotKvShape shape_;
  std::vector<int> free_;                    // indices; the next one handed out is the last
  std::unordered_map<int, Region> regions_;  // by request id
};

}  // namespace stagecraft
