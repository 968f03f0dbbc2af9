#pragma once
/// @file
/// The checks of each access of a checked launch: does it stay within a live allocation or variable, is it aligned, has
/// what it reads been written, does it race?
///
/// A wrong address ends the launch, as on a GPU; the other findings let it go on.
#include <vector>

#include "kernels/simulator/runtime/access.h"
#include "kernels/simulator/runtime/byte_set.h"
#include "kernels/simulator/runtime/device_memory.h"
#include "kernels/simulator/runtime/race_cells.h"
#include "kernels/simulator/runtime/symbols.h"

namespace simt::runtime {

class Worker;

/// Device memory that was allocated by cudaMalloc.
class CheckedGlobalMemory {
 public:
  CheckedGlobalMemory(const DeviceMemory& memory, ByteSet& written);

  /// Provides for what has been allocated since the last launch.
  void begin_launch();
  void forget_touches() { cells_ = RaceCells(covered_bytes_); }
  /// Ends the launch if the address is wrong.
  void check(Worker& worker, const Access& access, Segments& segments, bool races);

 private:
  const Allocation& require_address(Worker& worker, const Access& access) const;
  void check_written(Worker& worker, const Access& access, const Allocation& block);
  void check_race(Worker& worker, const Access& access, const Allocation& block, Segments& segments);

  const DeviceMemory& memory_;
  ByteSet& written_;
  size_t covered_bytes_ = 0;  // by the cells
  RaceCells cells_;
};

/// The shared memory of the running block: static variables, which are thread-local variables of the worker's OS
/// thread, and the dynamic array.
class CheckedSharedMemory {
 public:
  CheckedSharedMemory(char* dynamic, const Symbols& symbols);

  void begin_block(size_t dynamic_bytes);
  void forget_touches();
  bool contains(uintptr_t address) const { return is_dynamic(address) || is_static(address); }
  /// Ends the launch if the address is wrong. False for a variable that is the compiler's and not the kernel's.
  bool check(Worker& worker, const Access& access, Segments& segments, bool races);

 private:
  /// What is kept for each of the two kinds.
  struct Shadow {
    ByteSet written;
    RaceCells cells;
  };
  bool is_dynamic(uintptr_t address) const;
  bool is_static(uintptr_t address) const { return address - static_begin_ < static_bytes_; }
  const Symbol* variable_at(size_t offset);
  void check_values(Worker& worker, const Access& access, size_t offset, Shadow& shadow, const Symbol* variable,
                    Segments& segments);

  const Symbols& symbols_;
  uintptr_t dynamic_begin_;
  size_t dynamic_bytes_ = 0;  // of the running launch
  uintptr_t static_begin_;
  size_t static_bytes_;
  const Symbol* last_variable_ = nullptr;  // most accesses are to the same one
  Shadow dynamic_, static_;
};

/// The access's Touch, without the bytes.
inline Touch touch_of(const Access& access, SegmentId segment, unsigned lane) {
  return {segment, static_cast<uint32_t>(access.code), static_cast<uint8_t>(lane), 0, access.is_atomic()};
}

}  // namespace simt::runtime
