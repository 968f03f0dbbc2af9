#pragma once
/// @file
/// An estimate of the time a kernel would take on a named GPU: a roofline (Williams, Waterman and Patterson 2009) over
/// what the simulator counts. It is an estimate: caches, latencies, occupancy and arithmetic are not in it.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/simulator/profile.h"

namespace simt {

/// The published numbers of a GPU that the estimate uses.
struct Gpu {
  const char* name;
  const char* source;         // where the numbers are from
  double memory_bytes_per_s;  // DRAM
  int multiprocessors;
  double clock_hz;  // boost
};

/// All GPUs that an estimate can be made for.
const std::vector<Gpu>& known_gpus();
/// The one of this name, in any case of letters; null, if there is none.
const Gpu* find_gpu(std::string_view name);

/// Seconds, over all launches of a profile. Each part would be the time if nothing else took any.
struct TimeEstimate {
  double dram_at_best = 0;   // every sector is fetched and written back once a launch, however often it is asked for
  double dram_at_worst = 0;  // no cache at all: every sector of every request comes from DRAM
  double shared = 0;         // wavefronts, one a clock and multiprocessor
  double requests = 0;       // global sectors through the first cache, four a clock and multiprocessor
  double shuffles = 0;       // one a clock and multiprocessor
  double launches = 0;       // kLaunchSeconds each

  /// The longest part, launches added: between these two.
  double at_best() const;
  double at_worst() const;
};

/// What a launch takes that does nothing. Typical of current GPUs and drivers, not of one of them.
inline constexpr double kLaunchSeconds = 3e-6;

TimeEstimate estimate(const KernelProfile& kernel, const Gpu& gpu);

/// A line for people that says what it is.
std::string estimate_text(const KernelProfile& kernel, const Gpu& gpu);

}  // namespace simt
