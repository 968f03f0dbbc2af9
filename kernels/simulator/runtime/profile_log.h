#pragma once
/// @file
/// The counts of checked launches, by kernel and by instruction. Names and lines are looked up when someone reads them.
#include <map>
#include <vector>

#include "kernels/simulator/profile.h"

namespace simt::runtime {

/// One launch's counts: the totals, and those of each instruction that made requests.
struct LaunchCounts {
  struct Instruction {
    uintptr_t code = 0;
    MemoryOperation operation{};
    MemoryCounts counts;
  };
  KernelProfile totals;  // without name and lines
  std::vector<Instruction> instructions;
};

class ProfileLog {
 public:
  void add(const void* kernel, const LaunchCounts& launch);
  void clear() { kernels_.clear(); }

  std::vector<KernelProfile> resolved() const;
  KernelProfile last_launch() const;

 private:
  struct Kernel {
    const void* function;
    KernelProfile totals;
    std::map<std::pair<uintptr_t, MemoryOperation>, MemoryCounts> by_instruction;
  };
  std::vector<Kernel> kernels_;
  const void* last_kernel_ = nullptr;
  KernelProfile last_;
};

}  // namespace simt::runtime
