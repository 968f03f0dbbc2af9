#include "kernels/simulator/runtime/access_reports.h"
#include "kernels/simulator/runtime/checked_memory.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {

CheckedGlobalMemory::CheckedGlobalMemory(const DeviceMemory& memory, ByteSet& written)
    : memory_(memory), written_(written), cells_(memory.reserved_bytes()) {}

void CheckedGlobalMemory::check(Worker& worker, const Access& access, Segments& segments, bool races) {
  require_address(worker, access);
  if (!races) {
    if (access.is_write()) written_.insert(access.address - memory_.low(), access.bytes);
    return;
  }
  check_written(worker, access);
  if (access.is_atomic()) segments.atomic(access.address);
  check_race(worker, access, segments);
}

void CheckedGlobalMemory::require_address(Worker& worker, const Access& access) const {
  const Allocation* block = memory_.find(access.address);
  const bool inside = block && block->live && access.address + access.bytes <= block->end();
  if (inside && access.address % access.bytes == 0) return;
  if (inside)
    report_misaligned(worker, access);
  else
    report_bad_global_address(worker, access, memory_);
  worker.abandon(cudaErrorIllegalAddress);
}

void CheckedGlobalMemory::check_written(Worker& worker, const Access& access) {
  const size_t offset = access.address - memory_.low();
  if ((!access.is_write() || access.is_atomic()) && !written_.contains(offset, access.bytes)) {
    const Allocation& block = *memory_.find(access.address);
    // What a fast launch wrote is not recorded: after one, nothing can be said of memory that is older.
    if (block.unchecked_launches == memory_.unchecked_launches) report_unwritten_global(worker, access, block);
    written_.insert(offset, access.bytes);
  }
  if (access.is_write()) written_.insert(offset, access.bytes);
}

void CheckedGlobalMemory::check_race(Worker& worker, const Access& access, Segments& segments) {
  const Touch now = touch_of(worker, access, segments.current(worker.lane()->number / kWarpSize));
  const auto race = cells_.touch(access.address - memory_.low(), access.bytes, now, access.is_write(),
                                 segments.first_of_launch(), segments);
  if (race) report_global_race(worker, access, *race, segments, *memory_.find(access.address));
}

}  // namespace simt::runtime
