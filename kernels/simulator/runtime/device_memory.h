#pragma once
/// @file
/// Device memory: one large range of addresses, reserved once and handed out from the front.
///
///     | red zone | block 1 ...... | red zone | block 2 ... | red zone |
///
/// Blocks start at multiples of 256 bytes, as cudaMalloc's do. A table says for each 256-byte granule which block it
/// belongs to, so that an address is looked up in constant time. A red zone belongs to no block.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "kernels/simulator/keywords.h"
#include "kernels/simulator/runtime/host_memory.h"

namespace simt::runtime {

struct Allocation {
  uintptr_t begin;
  size_t bytes;
  size_t footprint;  // with the red zone behind it
  Site site;         // of the cudaMalloc
  bool live;
  uint64_t unchecked_launches;  // how many fast launches had been before it: their writes are not recorded

  uintptr_t end() const { return begin + bytes; }
};

class DeviceMemory {
 public:
  static constexpr size_t kGranule = 256;
  /// A freed block is handed out again only after this much more has been freed: until then a use of it is noticed.
  static constexpr size_t kQuarantineBytes = size_t{64} << 20;

  DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Null, if there is no room.
  void* allocate(size_t bytes, Site site);
  /// False, if no live block starts there.
  bool release(void* memory);

  /// Whether the address belongs to the device, allocated or not.
  bool contains(uintptr_t address) const { return address - low_ < reserved_; }
  /// The live or freed block whose granules hold `address`, or null.
  const Allocation* find(uintptr_t address) const {
    const size_t granule = (address - low_) / kGranule;
    return granule < owners_.size() && owners_[granule] != 0 ? &allocations_[owners_[granule]] : nullptr;
  }
  /// The block that `address` most likely missed, or null: the nearest within some granules.
  const Allocation* nearest(uintptr_t address) const;
  /// Whether [begin, begin + bytes) lies within one live block.
  bool holds(const void* begin, size_t bytes) const;

  uintptr_t low() const { return low_; }
  /// Bytes from low() that were ever handed out.
  size_t used_bytes() const { return top_ - low_; }
  size_t reserved_bytes() const { return reserved_; }

  uint64_t unchecked_launches = 0;

 private:
  void recycle(size_t id);

  size_t reserved_ = 0;
  uintptr_t low_ = 0, top_ = 0;
  std::deque<Allocation> allocations_;  // index 0 is no block; a deque, because find() hands out addresses
  LazyArray<uint32_t> owners_;          // of each granule: an index into allocations_
  std::deque<uint32_t> quarantine_;
  size_t quarantined_bytes_ = 0;
  std::multimap<size_t, uintptr_t> free_;  // by size
  mutable std::mutex mutex_;
};

}  // namespace simt::runtime
