/// @file
/// Hours in minutes: random cells of all stages, one after the other in one process and on one model, while its resident memory is
/// watched. Not part of a test run; it takes as long as one says:
///
///     STAGECRAFT_SOAK_SECONDS=600 test_engines "[.soak]"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fmt/format.h>
#include <unistd.h>

#include "tests/catch.h"
#include "tests/engines/failing_cell.h"
#include "tests/stages/mixed_requests.h"

namespace stagecraft::testing {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kDefaultSeconds = 600;
constexpr double kWarmUp = 0.25;       // of the time: passes' memory grows to its size, the heap takes its shape
constexpr double kMostGrowth = 0.02;   // of the memory after the warm-up
constexpr int kFirstCell = 1'000'000;  // other cells than the matrix has
constexpr int kCellsToOpen = 2'000;    // as many as it takes to meet every model on every device

/// Without what the heap keeps for later: that comes and goes by megabytes.
int64_t resident_bytes() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

double soak_seconds() {
  const char* const given = std::getenv("STAGECRAFT_SOAK_SECONDS");
  return given ? std::strtod(given, nullptr) : kDefaultSeconds;
}

/// A cell of any stage, moved to one model on one device: the memory that a model's passes keep grows to the largest pass
/// and stays, and with a dozen of them that takes longer than one wants to wait.
Cell soak_cell(int number) {
  Cell cell = draw_cell(matrix_seed(), kFirstCell + number);
  cell.model = "models/tales-400k";
  cell.device = "cpu";
  cell.draft_model = cell.model;
  return cell;
}

/// Opens all models that draw_cell() looks at: they stay, so they are no growth.
void open_models() {
  for (int number = 0; number < kCellsToOpen; ++number) soak_cell(number);
}

/// The passes of most rows, and of most rows with logits, that a cell can have: the memory that they need stays.
void run_largest_passes() {
  constexpr int kRequests = 16;
  Cell rows, logits;
  rows.stage = 3;
  rows.batch = kRequests;
  logits.stage = 6;
  logits.scheduler.max_running = kRequests;
  logits.drafting = Drafting::oracle;
  logits.length.length = kRequests;
  const ModelConfig& config = engine_model(rows.model, rows.device).config();
  for (int id = 0; id < kRequests; ++id) {
    rows.jobs.push_back(simple_job(id, id == 0 ? config.context - 2 : 70, 2, config));
    logits.jobs.push_back(simple_job(id, 2, 2 * kRequests, config));
  }
  REQUIRE(run_cell(rows).what == "");
  REQUIRE(run_cell(logits).what == "");
}

/// The largest of each part of the run.
struct Peaks {
  int64_t warm = 0, end = 0;
};

}  // namespace

TEST_CASE("soak: cell after cell in one process, and its memory is flat", "[.][.soak]") {
  open_models();
  run_largest_passes();
  const double seconds = soak_seconds();
  const auto start = std::chrono::steady_clock::now();
  const auto share = [&] { return Seconds(std::chrono::steady_clock::now() - start).count() / seconds; };
  Peaks peaks;
  int cells = 0;
  int64_t steps = 0, tokens = 0;
  for (; share() < 1; ++cells) {
    const Cell cell = soak_cell(cells);
    const CellRun run = run_cell(cell);
    INFO(run.what << "\n" << describe(cell));
    REQUIRE(run.verdict == CellRun::Verdict::right);
    steps += int64_t(run.log.steps.size());
    for (const RequestRecord& request : run.log.requests) tokens += int64_t(request.output_ids.size());
    const double now = share();
    if (now >= kWarmUp && now < 2 * kWarmUp) peaks.warm = std::max(peaks.warm, resident_bytes());
    if (now >= 1 - kWarmUp) peaks.end = std::max(peaks.end, resident_bytes());
  }
  REQUIRE(peaks.warm > 0);
  const double growth = double(peaks.end) / double(peaks.warm) - 1;
  std::cout << fmt::format(
      "soak of {:.0f} s: {} cells, {} steps, {} tokens; resident memory at most {:.1f} MB in the second quarter, "
      "{:.1f} "
      "MB in the last: {:+.2f} %\n",
      seconds, cells, steps, tokens, double(peaks.warm) * 1e-6, double(peaks.end) * 1e-6, 100 * growth);
  CHECK(growth < kMostGrowth);
}

}  // namespace stagecraft::testing
