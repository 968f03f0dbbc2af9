#pragma once
/// @file
/// A run over time as small panels, as on the dashboard of a service: requests, tokens, waits, memory, steps, goodput.
#include <optional>
#include <string>
#include <string_view>

#include "stages/core/goodput.h"
#include "stages/core/run_log.h"

namespace stagecraft {

/// CSS of the grid that the panels stand in.
std::string_view panel_style();

/// The panels as HTML, with inline SVG; empty for a run that took no time.
std::string run_panels(const RunLog& log, const std::optional<Slo>& slo);

}  // namespace stagecraft
