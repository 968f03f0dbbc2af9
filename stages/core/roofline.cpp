/// @file
/// Where the two lines of the roofline meet.
#include "stages/core/roofline.h"

namespace stagecraft {

std::optional<double> Roofline::rows_to_leave_memory(double kv_length) const {
  const double memory_per_row = kv_length * kv_bytes_per_token / bytes_per_s;
  const double gain_per_row = arithmetic_seconds(1) - memory_per_row;
  if (gain_per_row <= 0) return std::nullopt;
  return weight_bytes / bytes_per_s / gain_per_row;
}

std::optional<Roofline> roofline_of(int64_t weight_bytes, int64_t kv_bytes_per_token, int64_t parameters,
                                    const MachineLimits& limits) {
  constexpr double kGiga = 1e9;
  if (!limits.read_bandwidth_gbs || !limits.peak_gflops) return std::nullopt;
  return Roofline{double(weight_bytes), double(kv_bytes_per_token), 2.0 * double(parameters),
                  *limits.read_bandwidth_gbs * kGiga, *limits.peak_gflops * kGiga};
}

}  // namespace stagecraft
