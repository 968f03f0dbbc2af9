#include "stages/bench/report.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stages/bench/limit_benchmarks.h"

namespace stagecraft::bench {
namespace {

constexpr double kGiga = 1e9;

/// What so many threads reach, in bytes or operations a second.
struct Limits {
  double bytes = 0, flops = 0;
};

Limits limits_of(const BenchReport& report, int threads) {
  Limits limits;
  for (size_t i = 0; i < report.benchmarks.size(); ++i) {
    const Benchmark& benchmark = report.benchmarks[i];
    if (benchmark.group != "limit" || benchmark.threads != threads) continue;
    if (benchmark.name == kReadLimit) limits.bytes = benchmark.bytes / report.timings[i].median;
    if (benchmark.name == kComputeLimit) limits.flops = benchmark.flops / report.timings[i].median;
  }
  return limits;
}

/// How near a result comes to its limit, and which one that is.
struct Share {
  double share;
  const char* of;
};

std::optional<Share> share_of_limit(const BenchReport& report, size_t i) {
  const Benchmark& benchmark = report.benchmarks[i];
  const Limits limits = limits_of(report, benchmark.threads);
  if (benchmark.group == "limit" || limits.bytes == 0 || limits.flops == 0) return std::nullopt;
  const double memory = benchmark.bytes / limits.bytes, compute = benchmark.flops / limits.flops;
  const double seconds = report.timings[i].median;
  return memory > compute ? Share{memory / seconds, "memory"} : Share{compute / seconds, "arithmetic"};
}

std::string line(const BenchReport& report, size_t i) {
  const Benchmark& benchmark = report.benchmarks[i];
  const Timing& timing = report.timings[i];
  std::string text =
      fmt::format("{:<42} {:>6} {:>3} {:>11.1f} us {:>5.0f}%  {:>8.1f} {:>8.1f}", benchmark.name, benchmark.target,
                  benchmark.threads, timing.median * 1e6, 100 * (timing.slowest - timing.fastest) / timing.median,
                  benchmark.bytes / timing.median / kGiga, benchmark.flops / timing.median / kGiga);
  if (const auto share = share_of_limit(report, i))
    text += fmt::format(" {:>5.0f}% of {}", share->share * 100, share->of);
  if (benchmark.tokens > 0) text += fmt::format(", {:.1f} tok/s", benchmark.tokens / timing.median);
  return text + "\n";
}

}  // namespace

std::string as_table(const BenchReport& report) {
  std::string text = fmt::format("{}\nmodel {}\n\n", report.cpu, report.model);
  text +=
      "Medians of rounds in turn; spread is (slowest - fastest) / median. Work counted is what cannot be avoided.\n";
  std::string group;
  for (size_t i = 0; i < report.benchmarks.size(); ++i) {
    if (report.benchmarks[i].group != group) {
      group = report.benchmarks[i].group;
      text += fmt::format("\n{:<42} {:>6} {:>3} {:>14} {:>6}  {:>8} {:>8} {:>6}\n", group, "target", "thr", "time",
                          "spread", "GB/s", "GFLOP/s", "share");
    }
    text += line(report, i);
  }
  if (report.memory) {
    text += fmt::format("\npeak memory {:.1f} MB, model file + K/V + logits {:.1f} MB: ratio {:.3f}\n",
                        double(report.memory->peak_bytes) / 1e6, double(report.memory->needed_bytes) / 1e6,
                        double(report.memory->peak_bytes) / double(report.memory->needed_bytes));
  }
  return text;
}

nlohmann::ordered_json as_json(const BenchReport& report) {
  nlohmann::ordered_json json;
  json["cpu"] = report.cpu;
  json["model"] = report.model;
  for (size_t i = 0; i < report.benchmarks.size(); ++i) {
    const Benchmark& benchmark = report.benchmarks[i];
    const Timing& timing = report.timings[i];
    nlohmann::ordered_json entry;
    entry["group"] = benchmark.group;
    entry["name"] = benchmark.name;
    entry["target"] = benchmark.target;
    entry["threads"] = benchmark.threads;
    entry["median_us"] = timing.median * 1e6;
    entry["fastest_us"] = timing.fastest * 1e6;
    entry["slowest_us"] = timing.slowest * 1e6;
    if (benchmark.bytes > 0) entry["gbs"] = benchmark.bytes / timing.median / kGiga;
    if (benchmark.flops > 0) entry["gflops"] = benchmark.flops / timing.median / kGiga;
    if (benchmark.tokens > 0) entry["tokens_per_s"] = benchmark.tokens / timing.median;
    if (const auto share = share_of_limit(report, i)) {
      entry["limit"] = share->of;
      entry["share_of_limit"] = share->share;
    }
    json["results"].push_back(entry);
  }
  if (report.memory) {
    json["peak_memory_bytes"] = report.memory->peak_bytes;
    json["needed_memory_bytes"] = report.memory->needed_bytes;
  }
  return json;
}

}  // namespace stagecraft::bench
