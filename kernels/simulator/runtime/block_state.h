#pragma once
/// @file
/// What the scheduler knows of a launch and of the threads of the block it runs.
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/simulator/launch.h"
#include "kernels/simulator/runtime/fiber.h"
#include "kernels/simulator/warp_functions.h"

namespace simt::runtime {

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kMostThreads = 1024;            // of a block
inline constexpr size_t kMostDynamicShared = 227 * 1024;  // bytes a block, compute capability 9.0
inline constexpr size_t kMostStaticShared = 48 * 1024;

/// A set of a warp's lanes, one bit each.
using LaneSet = uint32_t;

/// Of a set that is not empty.
inline unsigned lowest_lane(LaneSet set) { return static_cast<unsigned>(std::countr_zero(set)); }

/// Calls `use(lane)` for each lane of the set, lowest first.
template <class Use>
void for_each_lane(LaneSet set, Use&& use) {
  for (; set != 0; set &= set - 1) use(static_cast<unsigned>(std::countr_zero(set)));
}

enum class LaneState : uint8_t { ready, at_barrier, in_collective, cut, done };

/// One CUDA thread.
struct Lane {
  uint3 index;      // threadIdx
  unsigned number;  // within the block; number % 32 is its place in the warp
  LaneState state;
  detail::Collective waits_for;
  LaneSet mask;  // of the collective it waits for
  Site site;     // where it waits, or waited last
  Fiber* fiber;

  unsigned in_warp() const { return number % kWarpSize; }
  LaneSet bit() const { return LaneSet{1} << in_warp(); }
};

/// 32 threads and their meeting at a collective.
struct Warp {
  LaneSet exists, done;
  LaneSet runnable;     // may go on now
  LaneSet not_started;  // subset of runnable: has no fiber yet
  LaneSet at_barrier;
  LaneSet arrived;      // at the collective that is being gathered
  bool uniform;         // all of `arrived` came with the same mask, kind and place
  bool mixed_barriers;  // lanes of at_barrier wait at different places
  unsigned first_thread;

  uint64_t value[kWarpSize];
  uint64_t result[kWarpSize];
  uint8_t source[kWarpSize];  // of a shuffle: the lane whose value this lane gets
  detail::Exchange exchange;

  LaneSet alive() const { return exists & ~done; }
};

/// One launch.
struct Job {
  detail::KernelCall call;
  dim3 grid{}, block{};
  size_t dynamic_shared_bytes = 0;
  unsigned threads = 0, warps = 0;  // of a block
  uint64_t blocks = 0;
  uint64_t seed = 0;
  std::vector<uint32_t> block_order{};  // empty: by number
  std::atomic<uint64_t> next_block{0};
  std::atomic<bool> stopped{false};  // by a fault; the rest of the grid is not run
  std::atomic<cudaError_t> error{cudaSuccess};

  void stop(cudaError_t why) {
    error = why;
    stopped = true;
  }
  uint3 thread_at(unsigned number) const {
    return {number % block.x, number / block.x % block.y, number / block.x / block.y};
  }
  uint3 block_at(uint64_t number) const {
    return {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
            static_cast<unsigned>(number / grid.x / grid.y)};
  }
};

}  // namespace simt::runtime
