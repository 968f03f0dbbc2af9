#pragma once
/// @file
/// The host as a device: ordinary memory, a thread pool as its stream, and one of the tables of operations.
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cpu/thread_pool.h"
#include "kernels/device.h"

namespace stagecraft::cpu {

/// The contract's scalar text, on one thread.
inline constexpr std::string_view kPlainTarget = "plain";

/// Loops that measure a limit of the machine, for one thread to run.
struct LimitKernels {
  /// Reads `bytes` of memory, and does with them only what keeps the compiler from leaving that out.
  uint32_t (*read_memory)(const std::byte* from, int64_t bytes);
  /// Does steps * flops_per_step operations as fused multiply-adds that wait for nothing.
  float (*multiply_add)(int64_t steps);
  int64_t flops_per_step;
};

/// An instruction set that this build has fast kernels for.
struct SimdTarget {
  std::string_view name;  // "AVX2", "AVX3" (which is AVX-512), "NEON"
  const Kernels* kernels;
  LimitKernels limits;
  bool runs_here;  // this machine has these instructions
};

/// All of this build, the best first.
std::vector<SimdTarget> simd_targets();

class CpuDevice final : public Device {
 public:
  /// `threads` 0: all available cores. `target`: kPlainTarget, the name of a SimdTarget, or empty for the best that
  /// runs here, which is the plain one if this machine has no fused multiply-add. Throws BadInput for others.
  explicit CpuDevice(int threads = 0, std::string_view target = "");

  std::string_view name() const override { return "cpu"; }
  std::string description() const override;
  bool reads_host_memory() const override { return true; }

  void* allocate(size_t bytes) override;
  void release(void* memory) noexcept override;
  int64_t free_memory() const override;
  void copy_to_device(void* to, const void* from, size_t bytes) override;
  void copy_to_host(void* to, const void* from, size_t bytes) override;
  void synchronize() override {}
  Stream stream() override { return {&pool_}; }

  int threads() const { return pool_.threads(); }
  std::string_view target() const { return target_; }

 private:
  struct Choice {
    std::string_view target;
    const Kernels* kernels;
  };
  static Choice choose(std::string_view target);
  CpuDevice(int threads, Choice choice);

  std::string_view target_;
  ThreadPool pool_;
};

}  // namespace stagecraft::cpu
