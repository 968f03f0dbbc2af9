#pragma once
/// @file
/// Charts of a plan, each as inline SVG.
#include <string>
#include <vector>

#include "stages/plan/plan_report.h"

namespace stagecraft {

/// One bar: weights, activations, K/V of requests at the best point, K/V still free, left out.
std::string memory_chart(const ServicePlan& plan, const Service& service);

/// TPOT over requests at a time, with the target as a dashed line.
std::string tpot_chart(const std::vector<OperatingPoint>& sweep, double target_ms);

/// Output tokens a second over requests at a time.
std::string throughput_chart(const std::vector<OperatingPoint>& sweep);

/// A bar a lever: its cost of a request as a multiple of the service's; above 1 is a loss.
std::string lever_chart(const ServicePlan& plan, const Service& service);

}  // namespace stagecraft
