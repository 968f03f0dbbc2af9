#pragma once
/// @file
/// Reductions over a block, of integers: exact in any order, so the fastest order will do.
#include "kernels/cuda/fold.h"

namespace stagecraft::STAGECRAFT_TARGET {

/// combine(combine(a, b), ...) of the `value` of all threads of a block of kThreads; every thread gets it. `combine` is
/// associative and commutative. Ends with all threads past a barrier, so `shared` may be used again at once.
template <int kThreads, class Combine>
__device__ inline uint64_t reduce_block(uint64_t value, uint64_t (&shared)[kThreads / kWarp], Combine combine) {
  static_assert(kThreads % kWarp == 0, "whole warps");
  SIMT_UNROLL
  for (int step = 16; step > 0; step /= 2) value = combine(value, __shfl_xor_sync(kAllLanes, value, step));
  if (threadIdx.x % kWarp == 0) shared[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < kThreads / kWarp; ++warp) value = combine(value, shared[warp]);
  __syncthreads();
  return value;
}

}  // namespace stagecraft::STAGECRAFT_TARGET
