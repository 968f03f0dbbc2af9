#pragma once
/// @file
/// Runs of a small crowd with something going wrong at a step of one's choice.
#include "stages/core/engine.h"
#include "tests/engines/cell_run.h"

namespace stagecraft::testing {

/// A cell of stage 6, watched, in which much happens in few steps: five requests, two of them samples, in a pool that is
/// too small for all of them, with drafts by an oracle that is right every other time.
Cell busy_cell();

/// One run of `cell`'s engine. `cancelled` is asked with the number of steps that are over.
RunLog run_with_steps(const Cell& cell, StageEngine& engine,
                      const std::function<bool(const Request&, size_t steps)>& cancelled);

}  // namespace stagecraft::testing
