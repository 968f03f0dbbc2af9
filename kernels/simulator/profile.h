#pragma once
/// @file
/// What a profiler would show of checked launches: counts of memory traffic and of synchronisation, exact and the same
/// on every machine. There is no clock, no cache and no register in it.
///
/// A request is one memory instruction of one warp. Global memory is moved in sectors of 32 bytes: the fewest that
/// could carry the bytes a request asks for are its ideal. Shared memory has 32 banks of 4 bytes: a request takes as
/// many wavefronts as its fullest bank has different words, and its ideal is the fewest for that many words.
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

/// Requests of one kind, to global or shared memory.
struct MemoryCounts {
  uint64_t requests = 0;
  uint64_t lanes = 0;  // that took part, over all requests
  uint64_t bytes = 0;  // asked for by lanes
  uint64_t moved = 0;  // sectors of global memory, or wavefronts of shared memory
  uint64_t ideal = 0;  // the fewest that would have done

  MemoryCounts& operator+=(const MemoryCounts& other);
};

enum class MemoryOperation : uint8_t {
  global_load,
  global_store,
  global_atomic,
  shared_load,
  shared_store,
  shared_atomic
};
inline constexpr int kMemoryOperations = 6;

/// "global load", ...
const char* name_of(MemoryOperation operation);
constexpr bool is_shared(MemoryOperation operation) { return operation >= MemoryOperation::shared_load; }

/// The requests of one line of the source.
struct LineProfile {
  std::string file;  // empty: unknown
  int line = 0;
  MemoryOperation operation{};
  MemoryCounts counts;
};

/// One kernel, over its checked launches since the last clear_profile().
struct KernelProfile {
  std::string name;
  uint64_t launches = 0;
  uint64_t blocks = 0;
  uint64_t threads = 0;
  MemoryCounts memory[kMemoryOperations];  // by MemoryOperation
  uint64_t sectors_touched_by_loads = 0;   // different sectors a launch, summed over launches: what a perfect cache
  uint64_t sectors_touched_by_stores = 0;  // would still have to fetch and to write back
  uint64_t barriers = 0;                   // __syncthreads, once a block
  uint64_t warp_barriers = 0;              // __syncwarp, once a warp
  uint64_t shuffles = 0;                   // shuffles, votes and reductions, once a warp
  std::vector<LineProfile> lines;          // by file and line

  const MemoryCounts& operator[](MemoryOperation operation) const { return memory[int(operation)]; }
};

/// All kernels, in the order of their first launch. Empty, if only fast launches were run.
std::vector<KernelProfile> profile();
/// The last checked launch alone, without lines.
KernelProfile last_launch();
void clear_profile();

/// The profile as a table, for people.
std::string profile_table(const std::vector<KernelProfile>& kernels);

}  // namespace simt
