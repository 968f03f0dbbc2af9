#pragma once
/// @file
/// A fiber is a CUDA thread's own stack and saved registers. Switching to one costs a few nanoseconds, because it is
/// an ordinary function call that returns on another stack; ucontext would add two system calls.
#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" {
/// Saves the registers a call must preserve, stores the stack pointer in `*from` and continues what `to` saved.
/// It leaves by a jump: right where scheduler and threads alternate, since a return would be predicted wrong.
void simt_switch_by_jump(void** from, void* to);
/// The same, leaving by a return: right between threads that wait at the same call.
void simt_switch_by_return(void** from, void* to);
}

namespace simt::runtime {

struct Fiber {
  void* saved = nullptr;  // stack pointer, while it does not run
  char* stack = nullptr;  // lowest usable byte
};

/// The fibers of one OS thread. Stacks have a guard page below, and are kept for the next block.
class FiberPool {
 public:
  /// Virtual memory; only pages that are touched cost anything.
  static constexpr size_t kStackBytes = 256 * 1024;

  explicit FiberPool(void (*entry)()) : entry_(entry) {}
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;
  ~FiberPool();

  Fiber* take() {
    if (free_.empty()) grow();
    Fiber* fiber = free_.back();
    free_.pop_back();
    return fiber;
  }
  void give_back(Fiber* fiber) { free_.push_back(fiber); }

  /// Makes all fibers new: after a launch that was stopped in the middle.
  void reset();

  /// Whether `address` lies in one of the stacks, or in a guard page.
  bool contains(uintptr_t address) const { return address - low_ < high_ - low_; }
  bool in_guard_page(uintptr_t address) const;

 private:
  void grow();
  void start(Fiber& fiber, size_t index) const;

  void (*entry_)();
  uintptr_t low_ = 0, high_ = 0;  // address range reserved for all stacks
  std::vector<Fiber*> all_;
  std::vector<Fiber*> free_;
};

}  // namespace simt::runtime
