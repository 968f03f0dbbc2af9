#pragma once
/// @file
/// How fast a step could be on a machine that reads memory and multiplies at its limits (the roofline; Williams et al.,
/// CACM 2009), and which of the two it waits for:
///
///     step time >= max( (weights + stored K/V) / bandwidth,  2 x parameters x rows / FLOP rate )
///
///     tok/s |        ________   arithmetic: flat, more rows take more time
///           |      /
///           |    /              memory: rows are free, the weights are read once for all of them
///           |__/______________ rows
///
/// For schedules on a virtual clock see cost_model.h, which is the same in whole nanoseconds.
#include <cstdint>
#include <optional>

#include "stages/core/metrics.h"

namespace stagecraft {

struct Roofline {
  double weight_bytes = 0;        // read once a step
  double kv_bytes_per_token = 0;  // read once a step for each stored token
  double flop_per_row = 0;        // 2 x parameters
  double bytes_per_s = 0, flop_per_s = 0;

  double memory_seconds(double kv_tokens) const {
    return (weight_bytes + kv_tokens * kv_bytes_per_token) / bytes_per_s;
  }
  double arithmetic_seconds(double rows) const { return rows * flop_per_row / flop_per_s; }

  /// Rows from which on arithmetic takes longer than memory if each row's request stores `kv_length` tokens. None: the
  /// K/V of one more row take longer to read than the row takes to compute, so memory stays the limit.
  std::optional<double> rows_to_leave_memory(double kv_length) const;
};

/// For a model on a machine whose limits are known; nothing if one of them is not.
std::optional<Roofline> roofline_of(int64_t weight_bytes, int64_t kv_bytes_per_token, int64_t parameters,
                                    const MachineLimits& limits);

}  // namespace stagecraft
