#pragma once
/// @file
/// The map of blocks over time: a row a block (or a few), a column a moment, a colour a request.
#include <string>

#include "stages/core/run_log.h"

namespace stagecraft {

/// The chart as SVG; empty if the run has no map.
std::string block_map_chart(const RunLog& log);

}  // namespace stagecraft
