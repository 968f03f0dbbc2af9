/// @file
/// lab_limits THREADS: memory bandwidth and fp32 rate of this machine as JSON, for the column "ideal" of `lab bench`.
#include <cstdio>
#include <cstdlib>

#include "stages/compare/machine_limits.h"

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 0;
  if (threads < 1) {
    std::fputs("usage: lab_limits THREADS\n", stderr);
    return 2;
  }
  const stagecraft::MachineLimits limits = stagecraft::with_measured_limits({}, threads);
  constexpr double kGiga = 1e9;
  std::printf("{\"bytes_per_s\": %.6g, \"flop_per_s\": %.6g}\n", *limits.read_bandwidth_gbs * kGiga,
              *limits.peak_gflops * kGiga);
}
