/// @file
/// Any request cancelled at any step, in all stages that have steps: the others write what they write without it, and in
/// stages 5 and 6 nothing of it stays in the store (WatchedEngine checks that after each run).
#include <algorithm>

#include "tests/catch.h"
#include "tests/engines/step_watch.h"
#include "tests/sanitized.h"

namespace stagecraft::testing {
namespace {

constexpr size_t kStride = repetitions(1, 5);  // between the steps that are tried

bool is_beginning(const std::vector<TokenId>& part, const std::vector<TokenId>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

TEST_CASE("any request cancelled at any step: nobody else's tokens change, and the store is empty at the end",
          "[engines][fault][cancel]") {
  Cell cell = busy_cell();
  const RunLog expected = expected_of(cell);
  for (const int stage : {3, 4, 5, 6}) {
    cell.stage = stage;
    const std::unique_ptr<StageEngine> engine = engine_of(cell, engine_model(cell.model, cell.device));
    const size_t steps = run_with_steps(cell, *engine, [](const Request&, size_t) { return false; }).steps.size();
    REQUIRE(steps > 8);
    for (int victim = 0; victim < int(cell.jobs.size()); ++victim) {
      for (size_t at = 0; at <= steps; at += kStride) {
        INFO("stage " << stage << ", request " << victim << " cancelled after step " << at);
        const RunLog log = run_with_steps(
            cell, *engine, [&](const Request& request, size_t now) { return request.id == victim && now >= at; });
        for (const RequestRecord& record : log.requests) {
          const RequestRecord& whole = expected.requests[size_t(record.id)];
          const bool cancelled = record.finish_reason == FinishReason::cancelled;
          if (record.id != victim) REQUIRE_FALSE(cancelled);
          if (cancelled) REQUIRE(is_beginning(record.output_ids, whole.output_ids));
          if (!cancelled) REQUIRE(record.output_ids == whole.output_ids);
        }
      }
    }
  }
}

TEST_CASE("the busy cell is busy: preemption, samples, rejected and accepted drafts, chunks", "[engines][fault]") {
  const Cell cell = busy_cell();
  const CellRun run = run_cell(cell);
  REQUIRE(run.what == "");
  int64_t preemptions = 0, hits = 0, accepted = 0, rejected = 0, chunks = 0;
  for (const RequestRecord& record : run.log.requests) {
    preemptions += record.preemptions.value_or(0);
    hits += record.prefix_hit_tokens.value_or(0);
  }
  for (const StepRecord& step : run.log.steps) {
    for (const StepPart& part : step.parts) {
      accepted += part.accepted;
      rejected += part.drafted - part.accepted;
      chunks += part.kv_length < cell.jobs[size_t(part.request)].request.prompt_tokens;
    }
  }
  CHECK(preemptions > 0);
  CHECK(hits > 0);
  CHECK(accepted > 0);
  CHECK(rejected > 0);
  CHECK(chunks > 0);
  CHECK(run.poisoned_blocks > 0);
}

}  // namespace stagecraft::testing
