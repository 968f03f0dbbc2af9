#include "stages/bench/report.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stages/bench/limit_benchmarks.h"

namespace stagecraft::bench {
namespace {

constexpr double kGiga = 1e9;

/// The limit of that name for so many threads, as an index into the report.
std::optional<size_t> limit_of(const BenchReport& report, const char* name, int threads) {
  for (size_t i = 0; i < report.benchmarks.size(); ++i) {
    const Benchmark& benchmark = report.benchmarks[i];
    if (benchmark.group == "limit" && benchmark.name == name && benchmark.threads == threads) return i;
  }
  return std::nullopt;
}

/// The median over all rounds of: what the limit would have needed for `work` in that round, to what benchmark i needed.
/// A machine that others use, too, is faster in one round than in the next; the share is not.
double share_in_rounds(const BenchReport& report, size_t i, double work, size_t limit, double work_of_limit) {
  std::vector<double> shares;
  for (size_t round = 0; round < report.timings[i].rounds.size(); ++round) {
    shares.push_back(work / work_of_limit * report.timings[limit].rounds[round] / report.timings[i].rounds[round]);
  }
  return median_of(shares);
}

/// How near a result comes to its limit, and which one that is.
struct Share {
  double share;
  const char* of;
};

std::optional<Share> share_of_limit(const BenchReport& report, size_t i) {
  const Benchmark& benchmark = report.benchmarks[i];
  const std::optional<size_t> read = limit_of(report, kReadLimit, benchmark.threads);
  const std::optional<size_t> compute = limit_of(report, kComputeLimit, benchmark.threads);
  if (benchmark.group == "limit" || !read || !compute) return std::nullopt;
  const Share of_memory{share_in_rounds(report, i, benchmark.bytes, *read, report.benchmarks[*read].bytes), "memory"};
  const Share of_arithmetic{share_in_rounds(report, i, benchmark.flops, *compute, report.benchmarks[*compute].flops),
                            "arithmetic"};
  return of_memory.share > of_arithmetic.share ? of_memory : of_arithmetic;
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

std::string pages_line(const ModelPages& pages) {
  const double huge = double(pages.huge_bytes), resident = double(std::max<int64_t>(pages.resident_bytes, 1));
  std::string text = fmt::format("model file in huge pages: {:.0f}%", 100 * huge / resident);
  if (huge < resident / 2) text += "; small ones are read more slowly, and --fresh reads the file from the disk again";
  return text + "\n";
}

}  // namespace

std::string as_table(const BenchReport& report) {
  std::string text = fmt::format("{}\nmodel {}\n\n", report.cpu, report.model);
  text +=
      "Medians of rounds in turn; spread is (slowest - fastest) / median; share of the same round's limit. Work "
      "counted is "
      "what cannot be avoided.\n";
  for (const char* group : {"limit", "operation", "forward"}) {
    text += fmt::format("\n{:<42} {:>6} {:>3} {:>14} {:>6}  {:>8} {:>8} {:>6}\n", group, "target", "thr", "time",
                        "spread", "GB/s", "GFLOP/s", "share");
    for (size_t i = 0; i < report.benchmarks.size(); ++i) {
      if (report.benchmarks[i].group == group) text += line(report, i);
    }
  }
  if (report.memory) {
    text += fmt::format("\npeak memory {:.1f} MB, model file + K/V + logits {:.1f} MB: ratio {:.3f}\n",
                        double(report.memory->peak_bytes) / 1e6, double(report.memory->needed_bytes) / 1e6,
                        double(report.memory->peak_bytes) / double(report.memory->needed_bytes));
  }
  if (report.pages) text += pages_line(*report.pages);
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
  if (report.pages) {
    json["model_resident_bytes"] = report.pages->resident_bytes;
    json["model_huge_page_bytes"] = report.pages->huge_bytes;
  }
  return json;
}

}  // namespace stagecraft::bench
