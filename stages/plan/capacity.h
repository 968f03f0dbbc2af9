#pragma once
/// @file
/// Queueing: what steady-state arithmetic leaves out. Stage 4's scheduler serves the workload on a virtual clock, with
/// the deployment's cost of a step, at one arrival rate after the other. The capacity is the highest rate at which
/// enough requests get both their first token and the others in time (goodput; DistServe, Zhong et al., 2024).
#include <cstdint>
#include <optional>

#include "stages/core/goodput.h"
#include "stages/core/metrics.h"
#include "stages/plan/demand.h"
#include "stages/plan/deployment.h"

namespace stagecraft {

/// Share of requests that must meet both targets.
inline constexpr double kAttainment = 0.9;

/// One replica at one arrival rate.
struct ServedLoad {
  double requests_per_s = 0;  // arrivals
  double tokens_per_s = 0;    // answers, while requests came
  double attainment = 0;      // share of requests within both targets
  LatencySummary latency;     // milliseconds
};

/// Serves the demand at `requests_per_s`, at most `most_running` at a time. A shared prefix shortens the prompts, and its
/// K/V are still read.
ServedLoad serve(const Deployment& deployment, const Demand& demand, int64_t most_running, double requests_per_s);

/// The highest load whose attainment is at least kAttainment, found by halving below `upper`, in requests/s; nothing if
/// even a hundredth of that is too much.
std::optional<ServedLoad> capacity(const Deployment& deployment, const Demand& demand, int64_t most_running,
                                   double upper);

}  // namespace stagecraft
