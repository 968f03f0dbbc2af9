#pragma once
/// @file
/// What a checked launch adds to the scheduler: it sees each memory access, barrier and collective; checks them
/// (checked_memory.h) and counts them (warp_merge.h, memory_counts.h). A checked launch runs on one OS thread.
#include "kernels/simulator/runtime/block_state.h"
#include "kernels/simulator/runtime/checked_memory.h"
#include "kernels/simulator/runtime/profile_log.h"
#include "kernels/simulator/runtime/segments.h"
#include "kernels/simulator/runtime/warp_merge.h"

namespace simt::runtime {

struct Simulator;
class Worker;

class Tracer {
 public:
  /// For launches of this worker's OS thread.
  Tracer(Simulator& simulator, char* dynamic_shared);

  void begin_launch(const Job& job, bool races);
  /// Adds the launch's counts to the profile and checks the outputs that were promised.
  void end_launch(const Job& job);

  // From the scheduler.
  void begin_block(const Worker& worker);
  void pass_barrier();
  void count_collective(detail::Collective kind, const Warp& warp, bool all_lanes);
  /// Issues what the warp's lanes have recorded. True, if lanes whose traces were cut may now go on.
  bool merge(Worker& worker, Warp& warp);

  // From the hooks, on a lane's fiber.
  void access(Worker& worker, const Access& access);
  void fence() { segments_.fence(); }

 private:
  void record(Worker& worker, const Access& access);
  void count_request(NodeId node, const Record* const* lanes, unsigned count);
  void touch_sectors(const Record* const* lanes, unsigned count, bool store);

  /// A stamp for each sector of device memory: the last launch that touched it.
  using SectorStamps = LazyArray<uint32_t>;

  Simulator& simulator_;
  CheckedGlobalMemory global_;
  CheckedSharedMemory shared_;
  Segments segments_;
  WarpMerge merge_;
  SectorStamps loaded_, stored_;
  uint32_t launch_ = 0;
  bool races_ = true;
  uintptr_t arguments_begin_ = 0;
  size_t argument_bytes_ = 0;
  LaunchCounts counts_;
};

}  // namespace simt::runtime
