#pragma once
/// @file
/// The comparison as text.
#include <string>

#include "stages/compare/comparison.h"

namespace stagecraft {

/// The ladder; then throughput over batch size, predictions and trace slices, as far as they were asked for.
std::string comparison_table(const Comparison& comparison);

inline constexpr std::string_view kLossLegend =
    "! worse than the stage before; of times only where all rounds agree on it";

/// "x0.25", "x0.25!", or "!" for a cost that is new; empty if nothing can be said.
std::string ratio_text(const LadderCell& cell);

}  // namespace stagecraft
