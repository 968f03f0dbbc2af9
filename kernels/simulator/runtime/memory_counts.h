#pragma once
/// @file
/// What one request of a warp costs: sectors of global memory, wavefronts of shared memory.
#include "kernels/simulator/profile.h"
#include "kernels/simulator/runtime/access.h"

namespace simt::runtime {

inline constexpr size_t kSectorBytes = 32;

/// The counts of one request: `count` lanes of a warp at one instruction. All have the same size and flags.
MemoryCounts count_global(const Record* const* lanes, unsigned count);
MemoryCounts count_shared(const Record* const* lanes, unsigned count);

}  // namespace simt::runtime
