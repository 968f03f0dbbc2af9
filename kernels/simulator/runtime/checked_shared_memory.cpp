#include "kernels/simulator/runtime/access_reports.h"
#include "kernels/simulator/runtime/checked_memory.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {

CheckedSharedMemory::CheckedSharedMemory(char* dynamic, const Symbols& symbols)
    : symbols_(symbols),
      dynamic_begin_(reinterpret_cast<uintptr_t>(dynamic)),
      static_begin_(symbols.thread_local_block()),
      static_bytes_(symbols.thread_local_bytes()),
      dynamic_{ByteSet(kMostDynamicShared), RaceCells(kMostDynamicShared)},
      static_{ByteSet(static_bytes_), RaceCells(static_bytes_)} {}

void CheckedSharedMemory::forget_touches() {
  dynamic_.cells = RaceCells(kMostDynamicShared);
  static_.cells = RaceCells(static_bytes_);
}

void CheckedSharedMemory::begin_block(size_t dynamic_bytes) {
  dynamic_bytes_ = dynamic_bytes;
  dynamic_.written.erase(0, dynamic_bytes);
  static_.written.erase(0, static_bytes_);
}

bool CheckedSharedMemory::is_dynamic(uintptr_t address) const { return address - dynamic_begin_ < kMostDynamicShared; }

const Symbol* CheckedSharedMemory::variable_at(size_t offset) {
  if (!last_variable_ || !last_variable_->holds(offset)) last_variable_ = symbols_.thread_local_at(offset);
  return last_variable_;
}

bool CheckedSharedMemory::check(Worker& worker, const Access& access, Segments& segments, bool races) {
  if (is_dynamic(access.address)) {
    const size_t offset = access.address - dynamic_begin_;
    if (offset + access.bytes > dynamic_bytes_) {
      report_bad_dynamic_shared(worker, access, offset, dynamic_bytes_);
      worker.abandon(cudaErrorIllegalAddress);
    }
    if (races) check_values(worker, access, offset, dynamic_, nullptr, segments);
    return true;
  }
  const size_t offset = access.address - static_begin_;
  const Symbol* variable = variable_at(offset);
  if (variable && is_compiler_variable(*variable)) return false;
  // Without a symbol table (a stripped program) the bounds of single variables are not known.
  const bool known = !symbols_.thread_locals().empty();
  if (known && (!variable || is_red_zone(*variable) || offset + access.bytes > variable->begin + variable->bytes)) {
    report_bad_static_shared(worker, access, offset, symbols_);
    worker.abandon(cudaErrorIllegalAddress);
  }
  if (races) check_values(worker, access, offset, static_, variable, segments);
  return true;
}

void CheckedSharedMemory::check_values(Worker& worker, const Access& access, size_t offset, Shadow& shadow,
                                       const Symbol* variable, Segments& segments) {
  const size_t in_variable = variable ? offset - variable->begin : offset;
  if ((!access.is_write() || access.is_atomic()) && !shadow.written.contains(offset, access.bytes))
    report_unwritten_shared(worker, access, variable, in_variable);
  shadow.written.insert(offset, access.bytes);  // also after a report: once is enough
  const SegmentId segment = segments.current(worker.lane()->number / kWarpSize);
  const auto race = shadow.cells.touch(offset, access.bytes, touch_of(access, segment, worker.lane()->in_warp()),
                                       access.is_write(), segments.first_of_block(), segments);
  if (race) report_shared_race(worker, access, *race, segments, variable, in_variable);
}

}  // namespace simt::runtime
