#pragma once
/// @file
/// Takes the pictures of which a BlockMap is made. However long a run and large a pool, the map stays small: when it has
/// too many moments, every other one goes, and from then on they are taken half as often.
#include "stages/5_paged_attention/paged_kv_store.h"
#include "stages/core/block_map.h"

namespace stagecraft {

class BlockMapRecorder {
 public:
  static constexpr size_t kMostMoments = 240;
  static constexpr int64_t kMostRows = 256;

  explicit BlockMapRecorder(const PagedKvStore& store);

  /// A step begins at `at`.
  void record(std::chrono::steady_clock::time_point at);

  BlockMap take() { return std::move(map_); }

 private:
  const PagedKvStore& store_;
  BlockMap map_;
  int64_t step_ = 0;
  int64_t stride_ = 1;  // steps from one moment to the next
};

}  // namespace stagecraft
