/// @file
/// Schedules of the real scheduler for the page of batching: random requests, limits, policies and costs.
#include <optional>

#include "stages/3_batching/padding.h"
#include "stages/4_continuous_batching/simulation.h"
#include "stages/core/metrics.h"
#include "stages/core/virtual_clock.h"
#include "tests/pages/cases_file.h"

namespace stagecraft::testing {
namespace {

constexpr int kCases = 300;
constexpr int64_t kNsPerUs = 1000;

Workload random_workload(Dice& dice) {
  Workload workload{"random", {}};
  const int64_t requests = dice.between(1, 12);
  const bool all_at_once = dice.one_in(3), equal = dice.one_in(5);
  int64_t arrival_ns = 0;
  for (int64_t i = 0; i < requests; ++i) {
    if (!all_at_once) arrival_ns += dice.between(0, 9000) * kNsPerUs;
    workload.requests.push_back({.arrival_ns = arrival_ns,
                                 .prompt_tokens = equal ? 8 : dice.between(1, 40),
                                 .output_tokens = equal ? 6 : dice.between(1, 20)});
  }
  return workload;
}

/// A step takes a time, and a row some more.
CostModel random_cost(Dice& dice) {
  CostModel cost = CostModel::constant_step(dice.between(1, 3000) * kNsPerUs);
  if (dice.one_in(2)) cost.flop_per_token = dice.between(1, 400) * kNsPerUs;
  return cost;
}

SimulationOptions random_options(Dice& dice) {
  SimulationOptions options{.cost = random_cost(dice), .scheduler = {}};
  options.kind = dice.one_in(3) ? BatchingKind::lock_step : BatchingKind::continuous;
  options.scheduler.max_running = int(dice.between(1, 6));
  if (options.kind == BatchingKind::lock_step) return options;
  if (dice.one_in(2)) options.step_tokens = dice.between(1, 48);
  if (dice.one_in(2)) options.scheduler.max_chunk = dice.between(1, 32);
  if (dice.one_in(2)) options.scheduler.policy = Policy::shortest_prompt_first;
  options.scheduler.max_overtakes = dice.between(0, 4);
  return options;
}

/// Nothing where there is no limit.
json limit_of(int64_t value) { return value == SchedulerOptions::kWholePrompt ? json() : json(value); }

json asked_of(const Workload& workload) {
  json requests = json::array();
  for (const WorkloadRequest& request : workload.requests) {
    requests.push_back(
        {{"arrivalNs", request.arrival_ns}, {"prompt", request.prompt_tokens}, {"output", request.output_tokens}});
  }
  return requests;
}

json options_json(const SimulationOptions& options) {
  return {{"lockStep", options.kind == BatchingKind::lock_step},
          {"places", options.scheduler.max_running},
          {"tokenBudget", limit_of(options.step_tokens)},
          {"maxChunk", limit_of(options.scheduler.max_chunk)},
          {"policy", name_of(options.scheduler.policy)},
          {"maxOvertakes", options.scheduler.max_overtakes},
          {"stepNs", options.cost.overhead_ns},
          {"rowNs", options.cost.flop_per_token}};
}

json steps_of(const RunLog& log) {
  json steps = json::array();
  for (const StepRecord& step : log.steps) {
    json parts = json::array();
    for (const StepPart& part : step.parts) {
      parts.push_back({{"request", part.request}, {"rows", part.rows}, {"kvLength", part.kv_length}});
    }
    steps.push_back({{"startNs", VirtualClock::nanoseconds(step.start)},
                     {"endNs", VirtualClock::nanoseconds(step.finished)},
                     {"parts", parts}});
  }
  return steps;
}

json tokens_of(const RunLog& log) {
  json all = json::array();
  for (const RequestRecord& request : log.requests) {
    json times = json::array();
    for (const Chunk& chunk : request.chunks) times.push_back(VirtualClock::nanoseconds(chunk.at));
    all.push_back(times);
  }
  return all;
}

json summary_json(const std::optional<Summary>& summary) {
  if (!summary) return {};
  return {{"mean", summary->mean}, {"p50", summary->p50}, {"p99", summary->p99}};
}

json case_of(const Workload& workload, const SimulationOptions& options) {
  const SimulationResult result = simulate(workload, options);
  const LatencySummary latency = latency_summary(result.log.requests);
  const Counts counts = count_work(result.log.steps, {});
  json expected = {{"steps", steps_of(result.log)},
                   {"tokenTimes", tokens_of(result.log)},
                   {"durationNs", result.duration_ns()},
                   {"tokensForwarded", counts.tokens_forwarded},
                   {"paddedSlots", result.padded_slots},
                   {"tokensPerSecond", totals_of(result.log, {}, 0, {}).output_tokens_per_s.value()},
                   {"ttftMs", summary_json(latency.ttft)},
                   {"itlMs", summary_json(latency.itl)}};
  if (options.kind == BatchingKind::lock_step) {
    const Padding law = padding_law(batches_of(result.log));  // stage 3's own law
    REQUIRE(law.padded == result.padded_slots);
    expected["paddedShare"] = double(law.padded) / double(law.slots);
  }
  return {{"asked", asked_of(workload)}, {"options", options_json(options)}, {"expected", expected}};
}

}  // namespace

TEST_CASE("schedules of the real scheduler are written for the page of batching") {
  Dice dice(2);
  json cases = json::array();
  for (int i = 0; i < kCases; ++i) {
    const Workload workload = random_workload(dice);
    cases.push_back(case_of(workload, random_options(dice)));
  }
  write_cases("batching", {{"schedules", cases}});
}

}  // namespace stagecraft::testing
