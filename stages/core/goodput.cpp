/// @file
/// Counting those in time.
#include "stages/core/goodput.h"

#include "stages/core/metrics.h"

namespace stagecraft {

bool within(const Slo& slo, const RequestRecord& request) {
  if (request.finish_reason != FinishReason::length && request.finish_reason != FinishReason::stop) return false;
  const RequestMetrics metrics = request_metrics(request);
  return metrics.ttft_ms && *metrics.ttft_ms <= slo.ttft_ms && metrics.tpot_ms.value_or(0) <= slo.tpot_ms;
}

Goodput goodput_of(const RunLog& log, const Slo& slo) {
  constexpr double kMsPerSecond = 1e3;
  Goodput goodput;
  for (const RequestRecord& request : log.requests) {
    if (request.finish_reason == FinishReason::refused) continue;
    ++goodput.requests;
    if (within(slo, request)) ++goodput.met;
  }
  const double seconds = milliseconds(log.start, log.end) / kMsPerSecond;
  if (seconds > 0) goodput.requests_per_s = double(goodput.met) / seconds;
  return goodput;
}

}  // namespace stagecraft
