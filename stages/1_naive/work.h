#pragma once
/// @file
/// What stage 1 has to say about its work: what was forwarded, how much of it again, and the law that says so
/// beforehand.
#include <vector>

#include "stages/core/run_report.h"

namespace stagecraft {

/// Lines for the tables. A count that differs from its law is a bug: throws std::logic_error.
std::vector<WorkLine> naive_work(const RunReport& report);

}  // namespace stagecraft
