#include "stages/bench/measure.h"

#include <algorithm>
#include <chrono>

namespace stagecraft::bench {
namespace {

double seconds_of(const std::function<void()>& work, int64_t calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < calls; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::vector<Timing> measure_in_turns(const std::vector<Benchmark>& benchmarks, Effort effort) {
  std::vector<int64_t> calls;
  for (const Benchmark& benchmark : benchmarks) {
    benchmark.once();
    const double estimate = seconds_of(benchmark.once, 1);
    calls.push_back(1 + int64_t(effort.least_seconds / std::max(estimate, 1e-9)));
  }
  std::vector<std::vector<double>> rounds(benchmarks.size());
  for (int round = 0; round < effort.rounds; ++round) {
    for (size_t i = 0; i < benchmarks.size(); ++i) {
      rounds[i].push_back(seconds_of(benchmarks[i].once, calls[i]) / double(calls[i]));
    }
  }
  std::vector<Timing> timings;
  for (std::vector<double>& times : rounds) {
    const auto [fastest, slowest] = std::minmax_element(times.begin(), times.end());
    timings.push_back({median_of(times), *fastest, *slowest, times});
  }
  return timings;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace stagecraft::bench
