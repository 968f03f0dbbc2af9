#include "stages/compare/machine_limits.h"

#include <memory>
#include <vector>

#include "stages/bench/limit_benchmarks.h"
#include "stages/bench/measure.h"

namespace stagecraft {
namespace {

constexpr bench::Effort kEffort{5, 0.01};
constexpr int64_t kColdBytes = 192 << 20;  // beyond any cache
constexpr double kGiga = 1e9;

}  // namespace

MachineLimits with_measured_limits(const MachineLimits& known, int threads) {
  if (known.read_bandwidth_gbs && known.peak_gflops) return known;
  const auto device = std::make_shared<cpu::CpuDevice>(threads);
  const auto memory = std::make_shared<bench::ColdMemory>(kColdBytes);
  std::vector<bench::Benchmark> benchmarks;
  bench::add_limits(benchmarks, device, memory);
  const std::vector<bench::Timing> timings = bench::measure_in_turns(benchmarks, kEffort);
  MachineLimits limits = known;
  for (size_t i = 0; i < benchmarks.size(); ++i) {
    const double seconds = timings[i].median * kGiga;
    if (benchmarks[i].name == bench::kReadLimit && !limits.read_bandwidth_gbs) {
      limits.read_bandwidth_gbs = benchmarks[i].bytes / seconds;
    }
    if (benchmarks[i].name == bench::kComputeLimit && !limits.peak_gflops) {
      limits.peak_gflops = benchmarks[i].flops / seconds;
    }
  }
  return limits;
}

}  // namespace stagecraft
