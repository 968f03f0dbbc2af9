/// @file
/// Counts of a continuous batch.
#include "stages/4_continuous_batching/work.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/counting_laws.h"

namespace stagecraft {
namespace {

constexpr double kUsPerMs = 1000;

double a_step(int64_t sum, const StepMix& mix) { return mix.steps ? double(sum) / double(mix.steps) : 0; }

}  // namespace

int64_t tokens_by_law(const std::vector<RequestRecord>& requests) {
  int64_t tokens = 0;
  for (const RequestRecord& request : requests) {
    tokens += cached_tokens_forwarded(request.prompt_tokens, int64_t(request.output_ids.size()));
  }
  return tokens;
}

bool any_cancelled(const std::vector<RequestRecord>& requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [](const RequestRecord& request) { return request.finish_reason == FinishReason::cancelled; });
}

StepMix step_mix(const RunLog& log) {
  std::unordered_map<int, int64_t> prompt_tokens;
  for (const RequestRecord& request : log.requests) prompt_tokens[request.id] = request.prompt_tokens;
  StepMix mix;
  for (const StepRecord& step : log.steps) {
    int64_t rows = 0, chunks = 0;
    for (const StepPart& part : step.parts) {
      rows += part.rows;
      chunks += part.kv_length <= prompt_tokens[part.request] ? 1 : 0;
    }
    ++mix.steps;
    mix.rows += rows;
    mix.requests += int64_t(step.parts.size());
    mix.largest_rows = std::max(mix.largest_rows, rows);
    mix.prompt_chunks += chunks;
    mix.mixed += chunks > 0 && chunks < int64_t(step.parts.size()) ? 1 : 0;
  }
  return mix;
}

std::optional<double> scheduling_us(const RunLog& log) {
  if (log.steps.size() < 2) return std::nullopt;
  std::vector<double> gaps;
  for (size_t i = 1; i < log.steps.size(); ++i) {
    gaps.push_back(milliseconds(log.steps[i - 1].finished, log.steps[i].start) * kUsPerMs);
  }
  return summarize(std::move(gaps))->p50;
}

std::vector<WorkLine> step_lines(const RunReport& report) {
  const Counts& counts = report.counts;
  const StepMix mix = step_mix(report.log);
  std::vector<WorkLine> lines{
      {"forward passes", with_commas(counts.forward_passes),
       fmt::format("{:.1f} requests and {:.1f} rows in each; {} rows in the largest", a_step(mix.requests, mix),
                   a_step(mix.rows, mix), with_commas(mix.largest_rows))},
      {"prompts in chunks", with_commas(mix.prompt_chunks),
       fmt::format("shares of steps; in {} of all steps some read while others wrote",
                   percent(double(mix.mixed), double(mix.steps)))},
      {"weight bytes read", with_commas(counts.weight_bytes_read), "once a pass for all rows"},
  };
  const std::optional<double> us = scheduling_us(report.log);
  if (us && *us > 0) {  // a virtual clock stands still between steps
    lines.push_back({"between steps, us", fmt::format("{:.1f}", *us), "median: scheduling, cancelling, arrivals"});
  }
  return lines;
}

std::vector<WorkLine> continuous_work(const RunReport& report) {
  const Counts& counts = report.counts;
  const int64_t law = tokens_by_law(report.log.requests);
  check(any_cancelled(report.log.requests) || counts.tokens_forwarded == law,
        "a request's p + n - 1 tokens are forwarded once");
  check(counts.tokens_recomputed == 0, "a region, once given, is large enough");

  std::vector<WorkLine> lines = step_lines(report);
  lines.push_back(
      {"tokens forwarded", with_commas(counts.tokens_forwarded), "law: p + n - 1 of each = " + with_commas(law)});
  lines.push_back({"K/V bytes reserved", with_commas(counts.kv_bytes_reserved_peak),
                   fmt::format("{} at most are used: each place is as long as the longest request",
                               percent(double(counts.kv_bytes_used_peak), double(counts.kv_bytes_reserved_peak)))});
  return lines;
}

}  // namespace stagecraft
