#include "kernels/simulator/runtime/device_memory.h"

#include <new>

#include <sys/mman.h>

namespace simt::runtime {
namespace {

// Virtual addresses only. Halved until the system agrees: some forbid more than there is memory.
constexpr size_t kMostReserved = size_t{16} << 30;
constexpr size_t kLeastReserved = size_t{64} << 20;

constexpr size_t kNearGranules = 64;  // how far a miss may be from the block it is blamed on

size_t granules(size_t bytes) { return (bytes + DeviceMemory::kGranule - 1) / DeviceMemory::kGranule; }

/// What a block takes with the red zone behind it; an empty block has an address of its own too.
size_t footprint(size_t bytes) { return (granules(bytes == 0 ? 1 : bytes) + 1) * DeviceMemory::kGranule; }

}  // namespace

DeviceMemory::DeviceMemory() {
  for (reserved_ = kMostReserved; reserved_ >= kLeastReserved; reserved_ /= 2) {
    void* range = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    low_ = reinterpret_cast<uintptr_t>(range);
    top_ = low_ + kGranule;  // the first red zone
    owners_ = LazyArray<uint32_t>(reserved_ / kGranule);
    allocations_.push_back({0, 0, 0, {"", 0}, false, 0});
    return;
  }
  throw std::bad_alloc();
}

void* DeviceMemory::allocate(size_t bytes, Site site) {
  const std::lock_guard lock(mutex_);
  if (bytes > reserved_) return nullptr;
  size_t needed = footprint(bytes);
  uintptr_t begin = 0;
  // A recycled block must fit well, or a small block would keep a large one.
  if (const auto fit = free_.lower_bound(needed); fit != free_.end() && fit->first <= needed + needed / 4) {
    needed = fit->first;
    begin = fit->second;
    free_.erase(fit);
  } else {
    if (needed > low_ + reserved_ - top_) return nullptr;
    begin = top_;
    top_ += needed;
  }
  const uint32_t id = static_cast<uint32_t>(allocations_.size());
  allocations_.push_back({begin, bytes, needed, site, true, unchecked_launches});
  const size_t first = (begin - low_) / kGranule;
  for (size_t i = 0; i < granules(bytes == 0 ? 1 : bytes); ++i) owners_[first + i] = id;
  return reinterpret_cast<void*>(begin);
}

bool DeviceMemory::release(void* memory) {
  const std::lock_guard lock(mutex_);
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory);
  const size_t granule = (address - low_) / kGranule;
  if (granule >= owners_.size()) return false;
  const uint32_t id = owners_[granule];
  Allocation& block = allocations_[id];
  if (id == 0 || !block.live || block.begin != address) return false;
  block.live = false;
  quarantine_.push_back(id);
  quarantined_bytes_ += block.footprint;
  while (quarantined_bytes_ > kQuarantineBytes) recycle(quarantine_.front());
  return true;
}

void DeviceMemory::recycle(size_t id) {
  const Allocation& block = allocations_[id];
  const size_t bytes = block.footprint;
  const size_t first = (block.begin - low_) / kGranule;
  for (size_t i = 0; i < bytes / kGranule; ++i) owners_[first + i] = 0;
  madvise(reinterpret_cast<void*>(block.begin), bytes, MADV_DONTNEED);
  free_.emplace(bytes, block.begin);
  quarantine_.pop_front();
  quarantined_bytes_ -= bytes;
}

const Allocation* DeviceMemory::nearest(uintptr_t address) const {
  const Allocation* before = nullptr;
  const Allocation* after = nullptr;
  for (size_t i = 0; i < kNearGranules && !(before && after); ++i) {
    if (!before) before = find(address - i * kGranule);
    const Allocation* above = find(address + i * kGranule);
    if (!after && above && above->begin > address) after = above;
  }
  if (!before || !after) return before ? before : after;
  const uintptr_t past = address >= before->end() ? address - before->end() : 0;
  return past <= after->begin - address ? before : after;
}

bool DeviceMemory::holds(const void* begin, size_t bytes) const {
  const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
  const Allocation* block = find(address);
  return block && block->live && bytes <= block->end() - address;
}

}  // namespace simt::runtime
