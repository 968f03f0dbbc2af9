#include "kernels/cpu/cpu_device.h"

#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/cpu/plain_kernels.h"
#include "kernels/host_memory.h"
#include "kernels/huge_pages.h"

namespace stagecraft::cpu {

CpuDevice::Choice CpuDevice::choose(std::string_view target) {
  if (target == kPlainTarget) return {kPlainTarget, &plain_kernels()};
  std::string names(kPlainTarget);
  for (const SimdTarget& simd : simd_targets()) {
    if (!simd.runs_here) continue;
    if (target.empty() || target == simd.name) return {simd.name, simd.kernels};
    names += fmt::format(", {}", simd.name);
  }
  if (target.empty()) return {kPlainTarget, &plain_kernels()};
  throw BadInput(fmt::format("no cpu kernels for \"{}\" on this machine", target), "there are: " + names);
}

CpuDevice::CpuDevice(int threads, std::string_view target) : CpuDevice(threads, choose(target)) {}

CpuDevice::CpuDevice(int threads, Choice choice)
    : Device(*choice.kernels), target_(choice.target), pool_(target_ == kPlainTarget ? 1 : threads) {}

std::string CpuDevice::description() const {
  return fmt::format("cpu: {}, {} thread{}", target_, threads(), threads() == 1 ? "" : "s");
}

void* CpuDevice::allocate(size_t bytes) {
  void* memory = allocate_in_huge_pages(bytes, kAlignment);
  if (!memory) {
    throw Failure(fmt::format("no memory left: {} more bytes were asked for", bytes),
                  "use a shorter context, fewer requests at a time, or --kv-type bf16");
  }
  return memory;
}

void CpuDevice::release(void* memory) noexcept { std::free(memory); }

int64_t CpuDevice::free_memory() const { return free_host_memory(); }

void CpuDevice::copy_to_device(void* to, const void* from, size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void CpuDevice::copy_to_host(void* to, const void* from, size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace stagecraft::cpu
