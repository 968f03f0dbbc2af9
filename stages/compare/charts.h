#pragma once
/// @file
/// The charts of numbers: bars for the ladder, curves for throughput over batch size. Each is inline SVG.
#include <string>
#include <vector>

#include "stages/compare/batch_sweep.h"
#include "stages/compare/ladder.h"

namespace stagecraft {

/// A bar a stage for one metric, with its value, the ratio to the stage before, and a whisker from the least to the most
/// of the rounds. Empty if no stage has a value.
std::string ladder_chart(const LadderRow& row, const std::vector<StageRuns>& stages);

/// Throughput of `stage` over batch size; dashed what the roofline allows. `largest` is the top of the axis, so that
/// charts of several stages can be compared. Empty if there is no point of that stage.
std::string throughput_chart(const StageInfo& stage, const std::vector<BatchPoint>& sweep, double largest);

/// The largest throughput in `sweep`, measured or predicted.
double largest_throughput(const std::vector<BatchPoint>& sweep);

}  // namespace stagecraft
