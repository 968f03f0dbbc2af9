#pragma once
/// @file
/// One deployment under one demand, in the few numbers that people decide by. Steady-state arithmetic only: it takes no
/// time, so that levers can be compared by the dozen, and has no noise, so that their signs can be trusted.
#include <cstdint>
#include <optional>

#include "stages/plan/demand.h"
#include "stages/plan/deployment.h"
#include "stages/plan/memory_plan.h"
#include "stages/plan/operating_point.h"

namespace stagecraft {

/// How a deployment is used.
struct Service {
  Deployment deployment;
  Demand demand;
  std::optional<Speculation> speculation = {};
  std::optional<int64_t> batch_limit = {};  // requests at a time, at most, besides what memory and targets allow
};

struct Evaluation {
  MemoryPlan memory;
  int64_t concurrent = 0;          // requests of mean length whose K/V fit
  int64_t concurrent_longest = 0;  // requests of the longest
  double ttft_ms = 0;              // of a request alone
  double tpot_alone_ms = 0;
  std::optional<OperatingPoint> best;  // within the TPOT target; none: too slow, or does not fit

  /// Seconds of accelerators that a request costs at the best point, all cards counted.
  std::optional<double> gpu_seconds_per_request(const Service& service) const;
};

/// Throws BadInput if the longest request does not fit the model's context.
Evaluation evaluate(const Service& service);

inline constexpr double kSecondsPerHour = 3600, kMillion = 1e6;

/// Price of a million units of which `units_per_s` are made by `gpus` cards that are busy for `utilisation` of the time.
inline double price_per_million(double price_per_gpu_hour, double gpus, double units_per_s, double utilisation) {
  return price_per_gpu_hour * gpus * kMillion / (units_per_s * kSecondsPerHour * utilisation);
}

}  // namespace stagecraft
