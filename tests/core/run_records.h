#pragma once
/// @file
/// Records of runs that never took place, with times in whole milliseconds.
#include <chrono>
#include <utility>
#include <vector>

#include "stages/core/run_log.h"

namespace stagecraft::testing {

inline TimePoint at_ms(int ms) { return TimePoint{} + std::chrono::milliseconds(ms); }

/// A request that arrived at 0, was scheduled at `scheduled_ms` and got its chunks as (milliseconds, tokens).
inline RequestRecord request_with_chunks(int id, int64_t prompt_tokens, int scheduled_ms,
                                         const std::vector<std::pair<int, int64_t>>& chunks) {
  RequestRecord request;
  request.id = id;
  request.prompt_tokens = prompt_tokens;
  request.arrival = at_ms(0);
  request.scheduled = at_ms(scheduled_ms);
  request.finish_reason = FinishReason::length;
  for (const auto& [ms, tokens] : chunks) {
    request.chunks.push_back({at_ms(ms), tokens});
    for (int64_t i = 0; i < tokens; ++i) request.output_ids.push_back(TokenId(10 + request.output_ids.size()));
  }
  return request;
}

inline constexpr int64_t kRecordedKvBytesPerToken = 10;
inline constexpr int64_t kRecordedKvBytesHeld = 640;

/// A step of forward passes from `start_ms` to `forwarded_ms`, and one more millisecond for the rest. All requests that
/// hold K/V are in it.
inline StepRecord step_between(int start_ms, int forwarded_ms, std::vector<StepPart> parts) {
  int64_t keys = 0;
  for (const StepPart& part : parts) keys += part.kv_length;
  return {at_ms(start_ms),
          at_ms(forwarded_ms),
          at_ms(forwarded_ms + 1),
          std::move(parts),
          keys * kRecordedKvBytesPerToken,
          kRecordedKvBytesHeld};
}

}  // namespace stagecraft::testing
