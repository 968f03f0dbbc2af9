#pragma once
/// @file
/// The two limits of a machine that a kernel can run into: how fast memory can be read, and how fast fused
/// multiply-adds can be done. Measured by loops that do nothing else (kernels/cpu/simd/limits.cpp).
#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "stages/bench/measure.h"

namespace stagecraft::bench {

/// Much more memory than the caches hold, full of small bf16 numbers. Benchmarks take their weights from it, a new
/// piece each call, so that they come from memory as a model's do.
class ColdMemory {
 public:
  explicit ColdMemory(int64_t bytes);

  const std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  /// The next `count` bytes, aligned to 64; starts again when all were used. `count` is at most bytes().
  const std::byte* next(int64_t count);

 private:
  int64_t bytes_;
  int64_t used_ = 0;
  cpu::Scratch memory_;
  std::byte* data_;
};

inline constexpr const char* kReadLimit = "read memory";
inline constexpr const char* kComputeLimit = "fused multiply-add";

/// Appends the limits of `device`'s threads.
void add_limits(std::vector<Benchmark>& all, const std::shared_ptr<cpu::CpuDevice>& device,
                const std::shared_ptr<ColdMemory>& memory);

}  // namespace stagecraft::bench
