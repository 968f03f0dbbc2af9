/// @file
/// All six engines in generated configurations, on the cpu and in the simulator: the bits of stages 1 and 2 in every cell
/// (EXACTNESS T1 to T10 and T12; which dimension stands for which: cell.h). One cell again:
///
///     STAGECRAFT_SEED=1 STAGECRAFT_CELL=17 test_engines "[matrix]"
#include <iostream>

#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/engines/coverage.h"
#include "tests/engines/failing_cell.h"
#include "tests/sanitized.h"

namespace stagecraft::testing {
namespace {

// The coverage is counted over all cells, so fewer would leave some event out by chance.
constexpr int kCells = repetitions(500, 60);
constexpr bool kCoverageCounts = kCells >= 500;
constexpr int kMostFailures = 3;  // then it is enough

void check_cell(int number, Coverage& coverage, int& failures) {
  const Cell cell = draw_cell(matrix_seed(), number);
  const CellRun run = run_cell(cell);
  coverage.add(cell, run);
  if (run.verdict == CellRun::Verdict::right) return;
  ++failures;
  // Not by INFO, which breaks long lines: the command is there to be copied.
  std::cout << report_failure(cell, run, [](const Cell& changed) { return run_cell(changed); });
  CHECK(run.verdict == CellRun::Verdict::right);
}

}  // namespace

TEST_CASE("every engine gives the bits of stages 1 and 2 in every cell of the matrix",
          "[engines][matrix][T1][T2][T3][T4][T5][T6][T7][T8][T9][T10][T12]") {
  Coverage coverage;
  int failures = 0;
  if (const std::optional<int> only = only_cell()) {
    check_cell(*only, coverage, failures);
    CHECK(failures == 0);
    return;
  }
  for (int number = 0; number < kCells && failures < kMostFailures; ++number) check_cell(number, coverage, failures);
  CHECK(failures == 0);
  std::cout << fmt::format("STAGECRAFT_SEED={}: {} cells\n", matrix_seed(), kCells) << coverage.table();
  if (!kCoverageCounts || failures > 0) return;
  for (const std::string& event : coverage.missing()) {
    INFO("did not happen in any cell: " << event);
    CHECK(event.empty());
  }
}

}  // namespace stagecraft::testing
