#pragma once
/// @file
/// K/V memory over time: what a stage has reserved, and what of it holds tokens that are still needed.
#include <string>
#include <vector>

#include "stages/core/run_report.h"

namespace stagecraft {

/// K/V bytes in use from `ms` after the start of a run on.
struct KvMoment {
  double ms = 0;
  double bytes = 0;
};

/// A moment a step, and the end; where there are more than `limit`, the fullest of each group of neighbours.
std::vector<KvMoment> kv_over_time(const RunLog& log, size_t limit);

/// Share of the reserved bytes that were in use, averaged over the time of the run; 0 for an empty run.
double kv_use(const RunReport& report);

/// Used bytes as an area, reserved ones as a dashed line, in MB over ms. `largest_bytes` is the top of the axis.
std::string kv_chart(const RunReport& report, int64_t largest_bytes);

}  // namespace stagecraft
