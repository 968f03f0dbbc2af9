#pragma once
/// @file
/// The canonical fold of 64 partial sums (EXACTNESS R1: p[j] += p[j + s] for s = 32, 16, 8, 4, 2, 1), for the three
/// ways in which threads can hold them. Addition commutes, so both lanes of a pair may add what the other sends and end
/// with the same bits: nothing is broadcast afterwards.
#include "kernels/cuda/launch.h"
#include "kernels/exact_math.h"

namespace stagecraft::STAGECRAFT_TARGET {

inline constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// Lanes of a group, each of which holds 8 consecutive partial sums: what one 16-byte load of bf16 brings a lane.
inline constexpr int kGroupLanes = 8;
inline constexpr int kPartialsPerLane = kPartialSums / kGroupLanes;
inline constexpr int kGroupsPerWarp = kWarp / kGroupLanes;

/// One thread holds all 64.
__device__ inline float fold_in_lane(float (&partial)[kPartialSums]) {
  SIMT_UNROLL
  for (int j = 0; j < 32; ++j) partial[j] += partial[j + 32];
  SIMT_UNROLL
  for (int j = 0; j < 16; ++j) partial[j] += partial[j + 16];
  SIMT_UNROLL
  for (int j = 0; j < 8; ++j) partial[j] += partial[j + 8];
  SIMT_UNROLL
  for (int j = 0; j < 4; ++j) partial[j] += partial[j + 4];
  return (partial[0] + partial[2]) + (partial[1] + partial[3]);
}

/// A warp holds them, lane l the partial sums l (`low`) and l + 32 (`high`). All 32 lanes call it and get the sum.
__device__ inline float fold_in_warp(float low, float high) {
  float sum = low + high;
  SIMT_UNROLL
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
  return sum;
}

/// A group of 8 lanes holds them, lane i the partial sums 8 i ... 8 i + 7. All 32 lanes call it; each group gets its
/// own sum. The steps 32, 16 and 8 cross lanes i and i ^ 4, 2, 1: of what a pair holds in common each lane keeps one
/// half and sends the other, so 4 + 2 + 1 shuffles do what eight at each step would. Then lane i holds partial sum i.
__device__ inline float fold_in_group(const float (&partial)[kPartialsPerLane]) {
  const bool upper4 = threadIdx.x & 4, upper2 = threadIdx.x & 2, upper1 = threadIdx.x & 1;
  float four[4], two[2];
  SIMT_UNROLL
  for (int j = 0; j < 4; ++j) {
    const float sent = upper4 ? partial[j] : partial[j + 4];
    four[j] = (upper4 ? partial[j + 4] : partial[j]) + __shfl_xor_sync(kAllLanes, sent, 4);
  }
  SIMT_UNROLL
  for (int j = 0; j < 2; ++j) {
    const float sent = upper2 ? four[j] : four[j + 2];
    two[j] = (upper2 ? four[j + 2] : four[j]) + __shfl_xor_sync(kAllLanes, sent, 2);
  }
  const float sent = upper1 ? two[0] : two[1];
  float sum = (upper1 ? two[1] : two[0]) + __shfl_xor_sync(kAllLanes, sent, 1);
  SIMT_UNROLL
  for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
  return sum;
}

}  // namespace stagecraft::STAGECRAFT_TARGET
