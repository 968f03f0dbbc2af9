#pragma once
/// @file
/// The report of `--report`: one HTML page that needs nothing else, no script and no network, in light and dark.
#include <string>

#include "stages/core/run_report.h"

namespace stagecraft {

std::string html_report(const RunReport& report);

}  // namespace stagecraft
