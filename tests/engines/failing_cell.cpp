#include "tests/engines/failing_cell.h"

#include <cstdlib>

#include <fmt/format.h>

#include "tests/engines/shrink.h"

namespace stagecraft::testing {
namespace {

constexpr int kMostRuns = 300;

}  // namespace

std::string report_failure(const Cell& cell, const CellRun& failed, const std::function<CellRun(const Cell&)>& rerun) {
  const Shrunk small = shrink(
      cell, [&](const Cell& changed) { return rerun(changed).verdict == failed.verdict; }, kMostRuns);
  return fmt::format(
      "\ncell {} of seed {}: {}\n"
      "again: STAGECRAFT_SEED={} STAGECRAFT_CELL={} " STAGECRAFT_BINARY_DIR
      "/bin/test_engines \"[matrix]\"\n"
      "it was: {}"
      "smallest that fails, after {} runs: {}"
      "there: {}\n",
      cell.number, cell.seed, failed.what, cell.seed, cell.number, describe(cell), small.runs, describe(small.cell),
      rerun(small.cell).what);
}

uint64_t matrix_seed() {
  const char* const given = std::getenv("STAGECRAFT_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 1;
}

std::optional<int> only_cell() {
  const char* const given = std::getenv("STAGECRAFT_CELL");
  if (!given) return std::nullopt;
  return int(std::strtol(given, nullptr, 10));
}

}  // namespace stagecraft::testing
