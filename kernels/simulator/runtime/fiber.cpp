#include "kernels/simulator/runtime/fiber.h"

#include <cstring>
#include <new>

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>

namespace simt::runtime {
namespace {

constexpr size_t kGuardBytes = 64 * 1024;  // a multiple of any page size
constexpr size_t kSlotBytes = kGuardBytes + FiberPool::kStackBytes;
constexpr size_t kMostFibers = 1024;  // threads of a block
constexpr size_t kFibersPerGrowth = 32;

// Equal stack offsets would put all fibers' hot data into the same cache sets.
constexpr size_t kSkewBytes = 256;
constexpr size_t kSkews = 16;

}  // namespace

FiberPool::~FiberPool() {
  for (Fiber* fiber : all_) delete fiber;
  if (low_ != 0) munmap(reinterpret_cast<void*>(low_), high_ - low_);
}

void FiberPool::grow() {
  if (low_ == 0) {
    void* range = mmap(nullptr, kSlotBytes * kMostFibers, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    low_ = reinterpret_cast<uintptr_t>(range);
    high_ = low_ + kSlotBytes * kMostFibers;
  }
  for (size_t i = 0; i < kFibersPerGrowth; ++i) {
    char* slot = reinterpret_cast<char*>(low_) + all_.size() * kSlotBytes;
    mprotect(slot, kGuardBytes, PROT_NONE);
    Fiber* fiber = new Fiber{nullptr, slot + kGuardBytes};
    start(*fiber, all_.size());
    all_.push_back(fiber);
    free_.push_back(fiber);
  }
}

void FiberPool::reset() {
  free_.clear();
  for (size_t i = all_.size(); i-- > 0;) {
    start(*all_[i], i);
    free_.push_back(all_[i]);
  }
}

bool FiberPool::in_guard_page(uintptr_t address) const {
  return contains(address) && (address - low_) % kSlotBytes < kGuardBytes;
}

// Lays out the stack as simt_switch_* leaves it (fiber_switch.cpp), with the entry as the place to continue.
void FiberPool::start(Fiber& fiber, size_t index) const {
  // Functions that were left in the middle did not clean up what AddressSanitizer, where it is in use, knows of them.
  ASAN_UNPOISON_MEMORY_REGION(fiber.stack, kStackBytes);
  const uintptr_t end = reinterpret_cast<uintptr_t>(fiber.stack) + kStackBytes - kSkewBytes * (index % kSkews);
  uintptr_t* top = reinterpret_cast<uintptr_t*>(end & ~uintptr_t{63});
#if defined(__x86_64__)
  constexpr size_t kSavedRegisters = 6;
  *--top = 0;  // the entry's return address: it never returns; also aligns the stack as after a call
  *--top = reinterpret_cast<uintptr_t>(entry_);
  top -= kSavedRegisters;
  std::memset(top, 0, kSavedRegisters * sizeof *top);
#elif defined(__aarch64__)
  constexpr size_t kFrameWords = 22;
  constexpr size_t kLinkRegister = 11;
  top -= kFrameWords;
  std::memset(top, 0, kFrameWords * sizeof *top);
  top[kLinkRegister] = reinterpret_cast<uintptr_t>(entry_);
#endif
  fiber.saved = top;
}

}  // namespace simt::runtime
