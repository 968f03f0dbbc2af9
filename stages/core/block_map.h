#pragma once
/// @file
/// Who held which block of a paged KV pool, at moments of a run: what the report draws.
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace stagecraft {

struct BlockMap {
  // What a block is where it is not one request's: ids that no request has.
  static constexpr int32_t kFree = std::numeric_limits<int32_t>::min();
  static constexpr int32_t kCached = kFree + 1;  // held by no request, its content kept
  static constexpr int32_t kShared = kFree + 2;  // held by several

  struct Moment {
    std::chrono::steady_clock::time_point at;
    std::vector<int32_t> owners;  // (blocks shown) the id of the request that holds it, or one of the constants
  };

  int64_t blocks = 0;           // of the pool
  int64_t every = 1;            // so many blocks of the pool stand behind each one shown
  std::vector<Moment> moments;  // in the order of time
};

}  // namespace stagecraft
