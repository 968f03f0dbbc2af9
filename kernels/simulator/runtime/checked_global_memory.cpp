#include "kernels/simulator/runtime/access_reports.h"
#include "kernels/simulator/runtime/checked_memory.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {

CheckedGlobalMemory::CheckedGlobalMemory(const DeviceMemory& memory, ByteSet& written)
    : memory_(memory), written_(written) {}

void CheckedGlobalMemory::begin_launch() {
  if (memory_.used_bytes() <= covered_bytes_) return;
  covered_bytes_ = 2 * memory_.used_bytes();
  forget_touches();  // they were of earlier launches
}

void CheckedGlobalMemory::check(Worker& worker, const Access& access, Segments& segments, bool races) {
  const Allocation& block = require_address(worker, access);
  if (!races) {
    if (access.is_write()) written_.insert(access.address - memory_.low(), access.bytes);
    return;
  }
  check_written(worker, access, block);
  if (access.is_atomic()) segments.atomic(access.address);
  check_race(worker, access, block, segments);
}

const Allocation& CheckedGlobalMemory::require_address(Worker& worker, const Access& access) const {
  const Allocation* block = memory_.find(access.address);
  const bool inside = block && block->live && access.address + access.bytes <= block->end();
  if (inside && (access.address & (access.bytes - 1)) == 0) return *block;  // sizes are powers of two
  if (inside)
    report_misaligned(worker, access);
  else
    report_bad_global_address(worker, access, memory_);
  worker.abandon(cudaErrorIllegalAddress);
}

void CheckedGlobalMemory::check_written(Worker& worker, const Access& access, const Allocation& block) {
  const size_t offset = access.address - memory_.low();
  if (access.is_write() && !access.is_atomic()) {
    written_.insert(offset, access.bytes);
    return;
  }
  if (written_.contains(offset, access.bytes)) return;
  // What a fast launch wrote is not recorded: after one, nothing can be said of memory that is older.
  if (block.unchecked_launches == memory_.unchecked_launches) report_unwritten_global(worker, access, block);
  written_.insert(offset, access.bytes);  // told once
}

void CheckedGlobalMemory::check_race(Worker& worker, const Access& access, const Allocation& block,
                                     Segments& segments) {
  const Lane& lane = *worker.lane();
  const Touch now = touch_of(access, segments.current(lane.number / kWarpSize), lane.in_warp());
  const auto race = cells_.touch(access.address - memory_.low(), access.bytes, now, access.is_write(),
                                 segments.first_of_launch(), segments);
  if (race) report_global_race(worker, access, *race, segments, block);
}

}  // namespace simt::runtime
