#pragma once
/// @file
/// What is printed of a cell that failed: what differs, the command that runs it again, and the smallest cell that fails
/// in the same way.
#include "tests/engines/cell_run.h"

namespace stagecraft::testing {

/// `rerun` runs a changed cell as the failed one was run.
std::string report_failure(const Cell& cell, const CellRun& failed, const std::function<CellRun(const Cell&)>& rerun);

/// STAGECRAFT_SEED, or 1.
uint64_t matrix_seed();
/// STAGECRAFT_CELL, if one is asked for.
std::optional<int> only_cell();

}  // namespace stagecraft::testing
