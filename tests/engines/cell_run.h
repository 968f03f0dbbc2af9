#pragma once
/// @file
/// Runs a cell and says whether it wrote what it had to: the tokens, texts and ends that stage 2 gives when it serves the
/// same requests one by one on the cpu (for cells of stage 2 itself: stage 1).
#include <functional>
#include <memory>

#include "stages/6_speculative_decoding/scripted_drafter.h"
#include "tests/engines/cell.h"
#include "tests/engines/engine_models.h"

namespace stagecraft::testing {

/// Whose logs and counts coverage.h looks at.
struct CellRun {
  enum class Verdict { right, differs, broken_promise, failure, bad_input };

  Verdict verdict = Verdict::right;
  std::string what;  // went wrong; empty if nothing
  RunLog log;
  SharingCounts sharing;        // of watched cells
  int64_t poisoned_blocks = 0;  // likewise
};

/// What a cell has to write.
RunLog expected_of(const Cell& cell);

/// What becomes of the cell's prompts if nothing ends them: for drafters that know the answer, and read on behind the end.
TrueTokens truth_of(const Cell& cell);

MakeDrafter drafter_of(const Cell& cell);

using MakeEngine = std::function<std::unique_ptr<StageEngine>(const Cell&, TestModel& on)>;

/// The engine that the cell describes.
std::unique_ptr<StageEngine> engine_of(const Cell& cell, TestModel& on);

/// `cell` on its own device with its own engine; or with others, to see that these are found out.
CellRun run_cell(const Cell& cell);
CellRun run_cell(const Cell& cell, TestModel& on, const MakeEngine& make_engine);

/// One run of `engine`, on a poisoned pool and a virtual clock on which a step takes a millisecond.
RunLog run_once(const Cell& cell, TestModel& on, StageEngine& engine);

}  // namespace stagecraft::testing
