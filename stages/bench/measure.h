#pragma once
/// @file
/// Timing that survives a noisy machine: everything that is to be compared is measured in turns, round after round, in
/// one run, and reported as the median of the rounds with their spread. A disturbance then hits all alike.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft::bench {

/// Something to be timed, and the work that it cannot avoid.
struct Benchmark {
  std::string group;  // "limit", "operation" or "forward"
  std::string name;
  std::string target;  // which kernels: "AVX2", "plain", ...
  int threads = 1;
  double bytes = 0;   // of memory that must be read
  double flops = 0;   // a fused multiply-add counts two
  double tokens = 0;  // 0: not counted in tokens
  std::function<void()> once;
};

/// Seconds of one call.
struct Timing {
  double median = 0, fastest = 0, slowest = 0;
  std::vector<double> rounds;  // in the order in which they were measured
};

/// The middle one of an odd number of values; else the larger of the two in the middle.
double median_of(std::vector<double> values);

struct Effort {
  int rounds;
  double least_seconds;  // of one timing: short benchmarks are called several times
};

/// One timing for each benchmark. Each is called once beforehand, to fill caches and sizes.
std::vector<Timing> measure_in_turns(const std::vector<Benchmark>& benchmarks, Effort effort);

}  // namespace stagecraft::bench
