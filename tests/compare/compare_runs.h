#pragma once
/// @file
/// Runs of stages that never took place.
#include <utility>
#include <vector>

#include "stages/compare/runs.h"
#include "tests/core/run_records.h"

namespace stagecraft::testing {

/// What the steps of small_log hold, at 10 bytes a token.
inline constexpr int64_t kSmallKvBytes[] = {30, 90, 110};
inline constexpr int64_t kSmallReservedBytes = 200;

/// A run of two requests: request 0 is scheduled at once, reads 3 tokens in the first step and writes in all three steps;
/// request 1 takes part in the last two. Steps take `step_ms` each, one after the other.
inline RunLog small_log(int step_ms) {
  RunLog log;
  log.start = at_ms(0);
  log.requests = {request_with_chunks(0, 3, 0, {{step_ms, 1}, {2 * step_ms, 1}, {3 * step_ms, 1}}),
                  request_with_chunks(1, 5, step_ms, {{2 * step_ms, 1}, {3 * step_ms, 1}})};
  const std::vector<std::vector<StepPart>> parts = {
      {{0, 3, 0, 3}}, {{0, 1, 0, 4}, {1, 5, 0, 5}}, {{0, 1, 0, 5}, {1, 1, 0, 6}}};
  for (int i = 0; i < 3; ++i) {
    const TimePoint start = at_ms(i * step_ms), end = at_ms((i + 1) * step_ms);
    log.steps.push_back({start, end, end, parts[size_t(i)], kSmallKvBytes[i], kSmallReservedBytes});
  }
  log.end = at_ms(3 * step_ms);
  return log;
}

/// A round of it: 100 weight bytes a pass, 10 K/V bytes a token, 200 reserved.
inline RunReport small_report(int step_ms, const StageInfo& stage = {2, "kv_cache", "stage2_kv_cache", "an idea"}) {
  RunReport report;
  report.stage = stage;
  report.device = "cpu";
  report.threads = 2;
  report.model = {"tales <5m>", "LlamaForCausalLM", 50, 100, "bf16"};
  report.log = small_log(step_ms);
  report.counts = count_work(report.log.steps, {100, 10});
  report.totals = totals_of(report.log, report.counts, 50, {});
  return report;
}

/// A stage whose rounds had steps of these lengths.
inline StageRuns small_runs(const std::vector<int>& step_ms,
                            const StageInfo& stage = {2, "kv_cache", "stage2_kv_cache", "an idea"}) {
  StageRuns runs{stage, {}};
  for (const int ms : step_ms) runs.rounds.push_back(small_report(ms, stage));
  return runs;
}

}  // namespace stagecraft::testing
