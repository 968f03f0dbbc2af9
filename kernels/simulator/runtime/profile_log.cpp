#include "kernels/simulator/runtime/profile_log.h"

#include <algorithm>
#include <tuple>

#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/source_lines.h"

namespace simt {

MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& other) {
  requests += other.requests;
  lanes += other.lanes;
  bytes += other.bytes;
  moved += other.moved;
  ideal += other.ideal;
  return *this;
}

const char* name_of(MemoryOperation operation) {
  constexpr const char* kNames[kMemoryOperations] = {"global load", "global store", "global atomic",
                                                     "shared load", "shared store", "shared atomic"};
  return kNames[int(operation)];
}

std::vector<KernelProfile> profile() { return runtime::simulator().profile.resolved(); }

KernelProfile last_launch() { return runtime::simulator().profile.last_launch(); }

void clear_profile() { runtime::simulator().profile.clear(); }

}  // namespace simt

namespace simt::runtime {
namespace {

void add_totals(KernelProfile& sum, const KernelProfile& launch) {
  sum.launches += launch.launches;
  sum.blocks += launch.blocks;
  sum.threads += launch.threads;
  for (int i = 0; i < kMemoryOperations; ++i) sum.memory[i] += launch.memory[i];
  sum.sectors_touched_by_loads += launch.sectors_touched_by_loads;
  sum.sectors_touched_by_stores += launch.sectors_touched_by_stores;
  sum.barriers += launch.barriers;
  sum.warp_barriers += launch.warp_barriers;
  sum.shuffles += launch.shuffles;
}

}  // namespace

void ProfileLog::add(const void* kernel, const LaunchCounts& launch) {
  last_kernel_ = kernel;
  last_ = launch.totals;
  auto known = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& k) { return k.function == kernel; });
  if (known == kernels_.end()) known = kernels_.insert(known, {kernel, {}, {}});
  add_totals(known->totals, launch.totals);
  for (const LaunchCounts::Instruction& instruction : launch.instructions)
    if (instruction.counts.requests != 0)  // the graph's entry makes none
      known->by_instruction[{instruction.code, instruction.operation}] += instruction.counts;
}

std::vector<KernelProfile> ProfileLog::resolved() const {
  std::vector<uintptr_t> addresses;
  for (const Kernel& kernel : kernels_)
    for (const auto& [instruction, counts] : kernel.by_instruction) addresses.push_back(instruction.first);
  const SourceLines lines(addresses);
  std::vector<KernelProfile> resolved;
  for (const Kernel& kernel : kernels_) {
    KernelProfile profile = kernel.totals;
    profile.name = function_name(kernel.function);
    // Several instructions may come from one line: an unrolled loop, a struct copied word by word.
    std::map<std::tuple<std::string, int, MemoryOperation>, MemoryCounts> by_line;
    for (const auto& [instruction, counts] : kernel.by_instruction) {
      const SourceLine& line = lines.at(instruction.first);
      by_line[{line.file, line.line, instruction.second}] += counts;
    }
    for (const auto& [key, counts] : by_line)
      profile.lines.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), counts});
    resolved.push_back(std::move(profile));
  }
  return resolved;
}

KernelProfile ProfileLog::last_launch() const {
  KernelProfile profile = last_;
  profile.name = last_kernel_ ? function_name(last_kernel_) : "";
  return profile;
}

}  // namespace simt::runtime
