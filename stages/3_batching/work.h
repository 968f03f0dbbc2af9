#pragma once
/// @file
/// What stage 3 has to say about its work: what sharing the weights saves, what the lock step wastes, and how the
/// throughput stands to the roofline.
#include <vector>

#include "stages/core/roofline.h"
#include "stages/core/run_report.h"

namespace stagecraft {

/// The steps of a run in which each request computed one token, taken together.
struct DecodeRate {
  int64_t steps = 0;
  double rows = 0;       // a step, mean
  double kv_length = 0;  // stored tokens a row, mean
  double tokens_per_s = 0;
  double bytes_per_s = 0;  // weights once a step, and the stored K/V
};

/// Bytes that a step moves.
struct StepBytes {
  int64_t weights = 0;       // a step
  int64_t kv_per_token = 0;  // a stored token
};

/// Nothing if there was no such step, or if it took no time.
std::optional<DecodeRate> decode_rate(const RunLog& log, const StepBytes& bytes);

/// `rate` beside the roofline: "412.0 tok/s" and "at 7.8 rows a step; 5.1 GB/s; roofline 530.2 tok/s, memory-bound".
WorkLine rate_line(std::string name, const DecodeRate& rate, const std::optional<Roofline>& roofline);

/// Lines for the tables. A count that differs from its law is a bug: throws std::logic_error.
std::vector<WorkLine> batching_work(const RunReport& report, const StepBytes& bytes);

}  // namespace stagecraft
