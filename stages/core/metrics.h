#pragma once
/// @file
/// Latency, throughput and utilisation, computed from a RunLog. The same names mean different formulas in different
/// tools, so here is ours, per request unless said otherwise:
///
/// | name       | formula                                                                                     |
/// |------------|---------------------------------------------------------------------------------------------|
/// | queue time | first scheduled - arrival                                                                   |
/// | TTFT       | first chunk - arrival                                                                       |
/// | ITL        | gaps between consecutive chunks, as the client sees them; pooled over requests              |
/// | TPOT       | (E2E - TTFT) / (output tokens - 1), if there are at least two                               |
/// | E2E        | last chunk - arrival                                                                        |
/// | throughput | requests, output tokens, and all tokens by duration of the run                              |
/// | MBU        | bytes that must move (weights once a pass + K/V read) / time / measured memory bandwidth    |
/// | MFU        | 2 x parameters x tokens forwarded / time / measured FLOP/s                                  |
///
/// ITL and TPOT differ as soon as a chunk holds several tokens: chunks of 1, 2, 2 tokens at 0, 40, 80 ms have an ITL of
/// 40 ms and a TPOT of 20 ms. Waiting is not averaged away: percentiles interpolate linearly between the two nearest
/// values, and a p99 of fewer than 1,000 values is marked, since it is hardly more than the largest value.
#include <cstdint>
#include <optional>
#include <vector>

#include "stages/core/run_log.h"

namespace stagecraft {

/// The smallest number of values whose 99th percentile means something: ten of them lie beyond it.
inline constexpr size_t kReliableP99Count = 1000;

/// A distribution in five numbers.
struct Summary {
  size_t count = 0;
  double mean = 0, p50 = 0, p90 = 0, p99 = 0;

  bool p99_reliable() const { return count >= kReliableP99Count; }
};

/// The value below which `percent` of the sorted `values` lie; interpolated. `values` must not be empty.
double percentile(const std::vector<double>& sorted_values, double percent);

/// Summary of `values` in any order; empty if there are none.
std::optional<Summary> summarize(std::vector<double> values);

/// Times of one request, in milliseconds. Absent: the request did not come that far.
struct RequestMetrics {
  std::optional<double> queue_ms, ttft_ms, tpot_ms, e2e_ms;
  std::vector<double> itl_ms;  // (chunks - 1)
};

RequestMetrics request_metrics(const RequestRecord& request);

/// The distributions of a run, in milliseconds; ITL is pooled over all requests.
struct LatencySummary {
  std::optional<Summary> queue, ttft, itl, tpot, e2e;
};

LatencySummary latency_summary(const std::vector<RequestRecord>& requests);

/// What the passes of a run did. Exact on any machine.
struct Counts {
  int64_t forward_passes = 0;
  int64_t tokens_forwarded = 0;
  int64_t tokens_recomputed = 0;
  int64_t weight_bytes_read = 0;  // once a pass
  int64_t kv_bytes_reserved_peak = 0;
  int64_t kv_bytes_used_peak = 0;
  int64_t kv_bytes_read = 0;  // each key and value that a request holds, once a pass

  // Only stages that pad or draft have these.
  std::optional<int64_t> padded_tokens, drafted, accepted, target_passes;
};

/// Sizes that turn passes into bytes.
struct ByteSizes {
  int64_t weight_bytes_per_pass = 0;
  int64_t kv_bytes_per_token = 0;
};

Counts count_work(const std::vector<StepRecord>& steps, const ByteSizes& sizes);

/// Limits of the machine as `bench` measures them; absent if nobody has measured.
struct MachineLimits {
  std::optional<double> read_bandwidth_gbs;  // 10^9 bytes/s
  std::optional<double> peak_gflops;         // 10^9 fp32 operations/s; a fused multiply-add is two
};

struct Totals {
  double duration_ms = 0;
  int64_t output_tokens = 0;
  std::optional<double> output_tokens_per_s, total_tokens_per_s, requests_per_s;  // absent if the run took no time
  std::optional<double> mbu, mfu;  // shares of the limit; absent if the limit is not known or no pass was made
};

/// Only requests that were completed count as requests; `parameters` are the model's.
Totals totals_of(const RunLog& log, const Counts& counts, int64_t parameters, const MachineLimits& limits);

/// The share of the K/V memory that requests held and did not use, over the steps of a run, each counted alike; 0 if
/// they held none.
double kv_waste(const std::vector<StepRecord>& steps);

/// Time spent in forward passes, split by why the tokens were in it. A pass that computes known tokens again is charged
/// to them by their share of its rows.
struct ForwardTime {
  double prompt_ms = 0;      // tokens of the prompt, the first time
  double new_ms = 0;         // generated tokens, the first time
  double recomputed_ms = 0;  // tokens that had been computed before

  double total_ms() const { return prompt_ms + new_ms + recomputed_ms; }
};

ForwardTime forward_time(const RunLog& log);

}  // namespace stagecraft
