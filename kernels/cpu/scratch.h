#pragma once
/// @file
/// Working memory that grows to the largest need and is then reused: operations run thousands of times a second and
/// must not ask the operating system for memory each time.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "kernels/huge_pages.h"

namespace stagecraft::cpu {

/// A cache line, and the widest SIMD register.
inline constexpr size_t kAlignment = 64;

class Scratch {
 public:
  /// At least `count` floats, aligned to kAlignment, with undefined content; valid until the next call. Throws
  /// std::bad_alloc. Call it before work is shared out, never inside.
  float* floats(size_t count) {
    if (count > capacity_) {
      memory_.reset();
      memory_.reset(static_cast<float*>(allocate_in_huge_pages(count * sizeof(float), kAlignment)));
      if (!memory_) throw std::bad_alloc();
      capacity_ = count;
    }
    return memory_.get();
  }

 private:
  struct Release {
    void operator()(float* memory) const { std::free(memory); }
  };

  std::unique_ptr<float, Release> memory_;
  size_t capacity_ = 0;
};

}  // namespace stagecraft::cpu
