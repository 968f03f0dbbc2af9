#include "kernels/simulator/gpu_estimate.h"

#include <algorithm>

#include <fmt/format.h>
#include <strings.h>

#include "kernels/simulator/runtime/memory_counts.h"

namespace simt {
namespace {

using runtime::kSectorBytes;

// CUDA C++ programming guide, arithmetic instructions and shared memory: a multiprocessor delivers 128 bytes of shared
// memory a clock (one wavefront), 32 lanes of a shuffle, and 128 bytes of the first cache.
constexpr double kSectorsPerClock = 4;
constexpr double kWavefrontsPerClock = 1;
constexpr double kShufflesPerClock = 1;

const MemoryOperation kGlobal[] = {MemoryOperation::global_load, MemoryOperation::global_store,
                                   MemoryOperation::global_atomic};
const MemoryOperation kShared[] = {MemoryOperation::shared_load, MemoryOperation::shared_store,
                                   MemoryOperation::shared_atomic};

std::string microseconds(double seconds) { return fmt::format("{:.1f} us", seconds * 1e6); }

/// What the time goes into: the longest part.
const char* bound_of(const TimeEstimate& time) {
  const double longest = std::max({time.dram_at_best, time.shared, time.requests, time.shuffles, time.launches});
  if (longest == time.launches) return "launches";
  if (longest == time.dram_at_best) return "DRAM";
  if (longest == time.shared) return "shared memory";
  if (longest == time.requests) return "sectors asked for";
  return "shuffles";
}

}  // namespace

const std::vector<Gpu>& known_gpus() {
  static const std::vector<Gpu> gpus = {
      {"A100", "NVIDIA A100 datasheet, SXM 80 GB", 2039e9, 108, 1.41e9},
      {"H100", "NVIDIA H100 datasheet, SXM", 3350e9, 132, 1.98e9},
      {"A10", "NVIDIA A10 datasheet", 600e9, 72, 1.695e9},
      {"L4", "NVIDIA L4 datasheet", 300e9, 58, 2.04e9},
      {"RTX3060", "NVIDIA Ampere GA102 and GA106 specifications, 12 GB", 360e9, 28, 1.777e9},
      {"RTX4090", "NVIDIA Ada architecture whitepaper", 1008e9, 128, 2.52e9},
  };
  return gpus;
}

const Gpu* find_gpu(std::string_view name) {
  for (const Gpu& gpu : known_gpus())
    if (strcasecmp(gpu.name, std::string(name).c_str()) == 0) return &gpu;
  return nullptr;
}

double TimeEstimate::at_best() const { return launches + std::max({dram_at_best, shared, requests, shuffles}); }

double TimeEstimate::at_worst() const { return launches + std::max({dram_at_worst, shared, requests, shuffles}); }

TimeEstimate estimate(const KernelProfile& kernel, const Gpu& gpu) {
  uint64_t sectors = 0, wavefronts = 0;
  for (const MemoryOperation operation : kGlobal) sectors += kernel[operation].moved;
  for (const MemoryOperation operation : kShared) wavefronts += kernel[operation].moved;
  const uint64_t touched = kernel.sectors_touched_by_loads + kernel.sectors_touched_by_stores;
  // A grid of fewer blocks than the GPU has multiprocessors leaves some of them idle.
  const double blocks_per_launch = kernel.launches ? double(kernel.blocks) / double(kernel.launches) : 0;
  const double busy = std::clamp(blocks_per_launch, 1.0, double(gpu.multiprocessors));
  const double clocks_per_s = gpu.clock_hz * busy;
  TimeEstimate time;
  time.dram_at_best = double(touched * kSectorBytes) / gpu.memory_bytes_per_s;
  time.dram_at_worst = double(sectors * kSectorBytes) / gpu.memory_bytes_per_s;
  time.requests = double(sectors) / kSectorsPerClock / clocks_per_s;
  time.shared = double(wavefronts) / kWavefrontsPerClock / clocks_per_s;
  time.shuffles = double(kernel.shuffles) / kShufflesPerClock / clocks_per_s;
  time.launches = double(kernel.launches) * kLaunchSeconds;
  return time;
}

std::string estimate_text(const KernelProfile& kernel, const Gpu& gpu) {
  const TimeEstimate time = estimate(kernel, gpu);
  return fmt::format(
      "estimate for {} ({}): {} to {}, most of it {}. Not a measurement: it counts bytes, requests and launches "
      "only.\n",
      gpu.name, gpu.source, microseconds(time.at_best()), microseconds(time.at_worst()), bound_of(time));
}

}  // namespace simt
