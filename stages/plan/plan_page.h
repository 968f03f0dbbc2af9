#pragma once
/// @file
/// A plan as one HTML page: the numbers of the text with charts of memory, of TPOT and throughput over requests at a
/// time, and of the levers.
#include <string>

#include "stages/plan/plan_report.h"

namespace stagecraft {

std::string plan_page(const PlanReport& report);

}  // namespace stagecraft
