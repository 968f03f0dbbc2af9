#pragma once
/// @file
/// threadIdx, blockIdx, blockDim, gridDim.
///
/// Each is a small struct returned by value from functions outside the kernel that are declared `const`: no memory
/// access for the checked build to count, one call where the optimiser sees several, and members that are real
/// `unsigned` numbers (so `auto`, min and printf do what they do under nvcc).
#include "kernels/simulator/vector_types.h"

namespace simt::detail {

#define SIMT_INDEX(name)                      \
  __attribute__((const)) unsigned name##_x(); \
  __attribute__((const)) unsigned name##_y(); \
  __attribute__((const)) unsigned name##_z(); \
  SIMT_INLINE uint3 name() { return {name##_x(), name##_y(), name##_z()}; }
SIMT_INDEX(thread_index)
SIMT_INDEX(block_index)
SIMT_INDEX(block_size)
SIMT_INDEX(grid_size)
#undef SIMT_INDEX

}  // namespace simt::detail

#define threadIdx (::simt::detail::thread_index())
#define blockIdx (::simt::detail::block_index())
#define blockDim (::simt::detail::block_size())
#define gridDim (::simt::detail::grid_size())
inline constexpr int warpSize = 32;
