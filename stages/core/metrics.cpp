/// @file
/// The formulas of metrics.h.
#include "stages/core/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr double kGiga = 1e9;
constexpr double kOperationsPerWeight = 2;  // a multiplication and an addition

double seconds_of(double ms) { return ms / 1000.0; }

/// Time in forward passes; what lies between them is the scheduler's and the reader's.
double forward_seconds(const std::vector<StepRecord>& steps) {
  double ms = 0;
  for (const StepRecord& step : steps) ms += milliseconds(step.start, step.forwarded);
  return seconds_of(ms);
}

void append(std::vector<double>& values, const std::optional<double>& value) {
  if (value) values.push_back(*value);
}

/// Steps that draft count all three, also where nothing was drafted.
void count_drafts(const StepRecord& step, Counts& counts) {
  if (!step.draft_ms) return;
  int64_t drafted = 0, accepted = 0;
  for (const StepPart& part : step.parts) {
    drafted += part.drafted;
    accepted += part.accepted;
  }
  counts.drafted = counts.drafted.value_or(0) + drafted;
  counts.accepted = counts.accepted.value_or(0) + accepted;
  counts.target_passes = counts.target_passes.value_or(0) + 1;
}

}  // namespace

double percentile(const std::vector<double>& sorted_values, double percent) {
  check(!sorted_values.empty(), "a percentile needs at least one value");
  const double rank = percent / 100.0 * double(sorted_values.size() - 1);
  const size_t below = size_t(std::floor(rank));
  const size_t above = std::min(below + 1, sorted_values.size() - 1);
  const double share = rank - double(below);
  return sorted_values[below] + share * (sorted_values[above] - sorted_values[below]);
}

std::optional<Summary> summarize(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return Summary{values.size(), sum / double(values.size()), percentile(values, 50), percentile(values, 90),
                 percentile(values, 99)};
}

RequestMetrics request_metrics(const RequestRecord& request) {
  RequestMetrics metrics;
  if (request.scheduled) metrics.queue_ms = milliseconds(request.arrival, *request.scheduled);
  if (request.chunks.empty()) return metrics;

  metrics.ttft_ms = milliseconds(request.arrival, request.chunks.front().at);
  metrics.e2e_ms = milliseconds(request.arrival, request.chunks.back().at);
  int64_t tokens = request.chunks.front().tokens;
  for (size_t i = 1; i < request.chunks.size(); ++i) {
    metrics.itl_ms.push_back(milliseconds(request.chunks[i - 1].at, request.chunks[i].at));
    tokens += request.chunks[i].tokens;
  }
  if (tokens > 1) metrics.tpot_ms = (*metrics.e2e_ms - *metrics.ttft_ms) / double(tokens - 1);
  return metrics;
}

LatencySummary latency_summary(const std::vector<RequestRecord>& requests) {
  std::vector<double> queue, ttft, itl, tpot, e2e;
  for (const RequestRecord& request : requests) {
    const RequestMetrics one = request_metrics(request);
    append(queue, one.queue_ms);
    append(ttft, one.ttft_ms);
    append(tpot, one.tpot_ms);
    append(e2e, one.e2e_ms);
    itl.insert(itl.end(), one.itl_ms.begin(), one.itl_ms.end());
  }
  return {summarize(queue), summarize(ttft), summarize(itl), summarize(tpot), summarize(e2e)};
}

Counts count_work(const std::vector<StepRecord>& steps, const ByteSizes& sizes) {
  Counts counts;
  for (const StepRecord& step : steps) {
    int64_t keys = 0;
    for (const StepPart& part : step.parts) {
      counts.tokens_forwarded += part.rows;
      counts.tokens_recomputed += part.recomputed;
      keys += part.kv_length;
    }
    ++counts.forward_passes;
    counts.weight_bytes_read += sizes.weight_bytes_per_pass;
    counts.kv_bytes_read += keys * sizes.kv_bytes_per_token;
    counts.kv_bytes_used_peak = std::max(counts.kv_bytes_used_peak, step.kv_used_bytes);
    counts.kv_bytes_reserved_peak = std::max(counts.kv_bytes_reserved_peak, step.kv_held_bytes);
    count_drafts(step, counts);
    if (step.padded_slots) counts.padded_tokens = counts.padded_tokens.value_or(0) + *step.padded_slots;
  }
  return counts;
}

Totals totals_of(const RunLog& log, const Counts& counts, int64_t parameters, const MachineLimits& limits) {
  Totals totals;
  totals.duration_ms = milliseconds(log.start, log.end);
  int64_t prompt_tokens = 0, completed = 0;
  for (const RequestRecord& request : log.requests) {
    totals.output_tokens += int64_t(request.output_ids.size());
    if (request.scheduled) prompt_tokens += request.prompt_tokens;
    if (request.finish_reason == FinishReason::length || request.finish_reason == FinishReason::stop) ++completed;
  }

  const double seconds = seconds_of(totals.duration_ms);
  if (seconds > 0) {
    totals.output_tokens_per_s = double(totals.output_tokens) / seconds;
    totals.total_tokens_per_s = double(prompt_tokens + totals.output_tokens) / seconds;
    totals.requests_per_s = double(completed) / seconds;
  }

  const double forwarding = forward_seconds(log.steps);
  if (forwarding > 0 && limits.read_bandwidth_gbs) {
    const double bytes = double(counts.weight_bytes_read) + double(counts.kv_bytes_read);
    totals.mbu = bytes / forwarding / (*limits.read_bandwidth_gbs * kGiga);
  }
  if (forwarding > 0 && limits.peak_gflops) {
    const double operations = kOperationsPerWeight * double(parameters) * double(counts.tokens_forwarded);
    totals.mfu = operations / forwarding / (*limits.peak_gflops * kGiga);
  }
  return totals;
}

double kv_waste(const std::vector<StepRecord>& steps) {
  double held = 0, used = 0;
  for (const StepRecord& step : steps) {
    held += double(step.kv_held_bytes);
    used += double(step.kv_used_bytes);
  }
  return held > 0 ? 1 - used / held : 0;
}

ForwardTime forward_time(const RunLog& log) {
  std::map<int, int64_t> prompt_left;  // by request: tokens of the prompt not yet seen by a pass
  for (const RequestRecord& request : log.requests) prompt_left[request.id] = request.prompt_tokens;

  ForwardTime time;
  for (const StepRecord& step : log.steps) {
    int64_t rows = 0;
    for (const StepPart& part : step.parts) rows += part.rows;
    const double ms_per_row = milliseconds(step.start, step.forwarded) / double(rows);
    for (const StepPart& part : step.parts) {
      const int64_t first_time = part.rows - part.recomputed;
      const int64_t of_prompt = std::min(first_time, prompt_left[part.request]);
      prompt_left[part.request] -= of_prompt;
      time.prompt_ms += ms_per_row * double(of_prompt);
      time.new_ms += ms_per_row * double(first_time - of_prompt);
      time.recomputed_ms += ms_per_row * double(part.recomputed);
    }
  }
  return time;
}

}  // namespace stagecraft
