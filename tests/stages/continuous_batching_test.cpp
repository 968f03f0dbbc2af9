/// @file
/// Stage 4: schedules and times on a virtual clock, computed by hand; what it gains over stage 3, and what it costs.
#include <algorithm>

#include "stages/2_kv_cache/engine.h"
#include "stages/3_batching/engine.h"
#include "stages/4_continuous_batching/alternatives.h"
#include "stages/4_continuous_batching/engine.h"
#include "stages/4_continuous_batching/simulation.h"
#include "stages/4_continuous_batching/work.h"
#include "stages/core/counting_laws.h"
#include "tests/catch.h"
#include "tests/stages/mixed_requests.h"
#include "tests/stages/schedules.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

using Members = std::vector<std::vector<int>>;
using Rows = std::vector<std::vector<int64_t>>;

ContinuousOptions limits(int max_running, int64_t budget, int64_t chunk = SchedulerOptions::kWholePrompt) {
  ContinuousOptions options;
  options.scheduler.max_running = max_running;
  options.scheduler.max_chunk = chunk;
  options.token_budget = budget;
  return options;
}

RunLog serve(const std::vector<Job>& jobs, const ContinuousOptions& how, const RunOptions& options = {}) {
  ContinuousEngine engine(how);
  return run_engine(engine, tales_400k(), jobs, options);
}

std::vector<Job> jobs_of(const std::vector<std::pair<int64_t, int64_t>>& prompt_and_output) {
  std::vector<Job> jobs;
  for (const auto& [prompt, output] : prompt_and_output) {
    jobs.push_back(simple_job(int(jobs.size()), prompt, output, tales_400k().config()));
  }
  return jobs;
}

}  // namespace

TEST_CASE("who arrives joins at the next step, and who ends leaves at once", "[stages][continuous][virtual]") {
  // Two places, budget 100, a step takes 1 ms. A: 4 tokens, B: 2, C arrives at 1.5 ms and wants 2.
  //   0-1 A B | 1-2 A B (B ends) | 2-3 A C | 3-4 A C: both end
  std::vector<Job> jobs = jobs_of({{5, 4}, {9, 2}, {3, 2}});
  jobs[2].arrival_ns = 1'500'000;
  const RunLog log = serve(jobs, limits(2, 100));
  CHECK(members_of_steps(log) == Members{{0, 1}, {0, 1}, {0, 2}, {0, 2}});
  CHECK(rows_of_steps(log) == Rows{{5, 9}, {1, 1}, {1, 3}, {1, 1}});
  CHECK(*request_metrics(log.requests[2]).queue_ms == 0.5);
  CHECK(ms_since_start(log, log.end) == 4.0);
  CHECK_FALSE(count_work(log.steps, {}).padded_tokens);
}

TEST_CASE("under a budget a prompt is computed in chunks, behind those that write", "[stages][continuous][virtual]") {
  // Budget 4. A: 2 + 5 tokens. B: 7 + 1.
  //   0-1 A2 B2 | 1-2 A1 B3 | 2-3 A1 B2: B's last chunk, so it has its token
  const RunLog log = serve(jobs_of({{2, 5}, {7, 1}}), limits(2, 4));
  CHECK(rows_of_steps(log) == Rows{{2, 2}, {1, 3}, {1, 2}, {1}, {1}});
  CHECK(ms_since_start(log, log.requests[1].chunks.front().at) == 3.0);
  const StepMix mix = step_mix(log);
  CHECK(mix.prompt_chunks == 4);  // A's one, B's three
  CHECK(mix.mixed == 2);
  CHECK(mix.largest_rows == 4);
}

TEST_CASE("idle until the next arrival: the clock jumps, no empty step is made", "[stages][continuous][virtual]") {
  std::vector<Job> jobs = jobs_of({{3, 1}, {3, 1}});
  jobs[1].arrival_ns = 50'000'000;
  const RunLog log = serve(jobs, limits(2, 8));
  CHECK(step_starts(log) == std::vector<double>{0.0, 50.0});
  CHECK(*request_metrics(log.requests[1]).queue_ms == 0.0);
}

TEST_CASE("the engine takes the steps, and the times, of the simulation without a model",
          "[stages][continuous][virtual]") {
  const std::vector<Job> jobs =
      mixed_requests({.count = 40, .mean_gap_ns = 2'000'000, .seed = 31}, tales_400k().config());
  const CostModel cost{.overhead_ns = 1000,
                       .weight_bytes = 900'000,
                       .kv_bytes_per_token = 300,
                       .bytes_per_ns = 2,
                       .flop_per_token = 800'000,
                       .flop_per_ns = 3};
  for (const ContinuousOptions& how : {limits(4, 64), limits(8, 9), limits(3, 64, 16)}) {
    RunOptions options;
    options.cost = cost;
    const RunLog log = serve(jobs, how, options);
    const SimulationOptions same{.cost = cost, .scheduler = how.scheduler, .step_tokens = how.token_budget};
    const SimulationResult expected = simulate(workload_of_jobs(jobs), same);
    CHECK(step_starts(log) == step_starts(expected.log));
    CHECK(rows_of_steps(log) == rows_of_steps(expected.log));
    CHECK(log.end == expected.log.end);
  }
}

TEST_CASE("equal lengths: continuous batching gains nothing, to the nanosecond", "[stages][continuous][control]") {
  std::vector<Job> jobs;
  for (int id = 0; id < 12; ++id) jobs.push_back(simple_job(id, 16, 9, tales_400k().config()));
  StaticBatchEngine lock_step(4);
  const RunLog fixed = run_engine(lock_step, tales_400k(), jobs);
  const RunLog continuous = serve(jobs, limits(4, SchedulerOptions::kWholePrompt));
  CHECK(step_starts(fixed) == step_starts(continuous));
  CHECK(fixed.end == continuous.end);
}

TEST_CASE("unequal lengths: continuous batching needs fewer steps for the same tokens", "[stages][continuous]") {
  const std::vector<Job> jobs = mixed_requests({.count = 32, .seed = 33}, tales_400k().config());
  StaticBatchEngine lock_step(4);
  const RunLog fixed = run_engine(lock_step, tales_400k(), jobs);
  const RunLog continuous = serve(jobs, limits(4, SchedulerOptions::kWholePrompt));
  CHECK(difference(fixed, continuous) == "");
  CHECK(continuous.steps.size() * 10 < fixed.steps.size() * 8);
}

TEST_CASE("a chunk as large as the prompts changes nothing", "[stages][continuous][control]") {
  const std::vector<Job> jobs =
      mixed_requests({.count = 20, .longest_prompt = 50, .mean_gap_ns = 1'000'000, .seed = 34}, tales_400k().config());
  CHECK(rows_of_steps(serve(jobs, limits(4, 500, 50))) == rows_of_steps(serve(jobs, limits(4, 500))));
}

TEST_CASE("the loss: chunks keep others writing, and the chunked prompt's first token comes later",
          "[stages][continuous][losses]") {
  // Time is rows: 1 us each. A writes; B's prompt of 90 arrives. Whole: A stalls 91 us, B is served after 91.
  // In chunks of 9: ten steps of 10 rows, A never waits longer than 10 us, B's first token comes after 100.
  std::vector<Job> jobs = jobs_of({{1, 30}, {90, 1}});
  jobs[1].arrival_ns = 1000;  // when A has its first token
  RunOptions options;
  options.cost = {.flop_per_token = 1000, .flop_per_ns = 1};
  const RunLog whole = serve(jobs, limits(2, 1000), options), chunked = serve(jobs, limits(2, 10), options);
  const auto longest_step_us = [](const RunLog& log) {
    double longest = 0;
    for (const StepRecord& step : log.steps)
      longest = std::max(longest, 1000 * milliseconds(step.start, step.forwarded));
    return longest;
  };
  CHECK(longest_step_us(whole) == Approx(91.0));
  CHECK(longest_step_us(chunked) == Approx(10.0));
  CHECK(*request_metrics(whole.requests[1]).ttft_ms == Approx(0.091));
  CHECK(*request_metrics(chunked.requests[1]).ttft_ms == Approx(0.100));
}

TEST_CASE("the loss: others in the batch make each gap between tokens longer", "[stages][continuous][losses]") {
  std::vector<Job> jobs;
  for (int id = 0; id < 8; ++id) jobs.push_back(simple_job(id, 4, 10, tales_400k().config()));
  RunOptions options;
  options.cost = {.weight_bytes = 1000, .kv_bytes_per_token = 10, .bytes_per_ns = 1};
  const auto last_step_ms = [](const RunLog& log) {
    return milliseconds(log.steps.back().start, log.steps.back().forwarded);
  };
  const RunLog together = serve(jobs, limits(8, 100), options), alone = serve(jobs, limits(1, 100), options);
  CHECK(last_step_ms(together) > last_step_ms(alone));
  CHECK(milliseconds(together.start, together.end) < milliseconds(alone.start, alone.end));
}

TEST_CASE("counts obey the laws, and nobody who runs sits a step out", "[stages][continuous][counting]") {
  const std::vector<Job> jobs = mixed_requests({.count = 20, .seed = 35}, tales_400k().config());
  const RunLog log = serve(jobs, limits(6, 3));
  int64_t law = 0;
  for (const RequestRecord& request : log.requests) {
    law += cached_tokens_forwarded(request.prompt_tokens, int64_t(request.output_ids.size()));
  }
  const Counts counts = count_work(log.steps, {});
  CHECK(counts.tokens_forwarded == law);
  CHECK(counts.tokens_recomputed == 0);
  // A place is given out only where the budget has a row left for it, so running requests never outnumber the rows.
  const int64_t bytes = tales_400k().config().kv_bytes_per_token(NumberType::bf16);
  for (const StepRecord& step : log.steps) {
    int64_t in_pass = 0;
    for (const StepPart& part : step.parts) in_pass += part.kv_length;
    CHECK(step.kv_used_bytes == in_pass * bytes);
  }
}

TEST_CASE("what can never be served is refused with a reason, and the others get their tokens",
          "[stages][continuous][bad input]") {
  std::vector<Job> jobs = jobs_of({{5, 6}, {30, 9}, {7, 3}, {1, 1}, {6, 4}});
  jobs[3].request.tokens.clear();
  jobs[3].request.prompt_tokens = 0;
  ContinuousOptions how = limits(2, 8);
  how.max_length = 20;
  const RunLog log = serve(jobs, how);
  CHECK(log.requests[1].finish_reason == FinishReason::refused);
  CHECK(log.requests[1].refusal->find("38 tokens") != std::string::npos);
  CHECK(log.requests[3].finish_reason == FinishReason::refused);
  CHECK(log.requests[3].refusal->find("no tokens") != std::string::npos);
  KvCacheEngine alone;
  for (const size_t kept : {0, 2, 4}) {
    Job job = jobs[kept];
    job.request.id = 0;
    CHECK(log.requests[kept].output_ids == run_engine(alone, tales_400k(), {job}).requests.front().output_ids);
  }
}

TEST_CASE("limits under which nothing runs are bad input", "[stages][continuous][bad input]") {
  CHECK_THROWS_AS(ContinuousEngine(limits(0, 8)), BadInput);
  CHECK_THROWS_AS(ContinuousEngine(limits(2, 0)), BadInput);
  CHECK_THROWS_AS(ContinuousEngine(limits(2, 8, 0)), BadInput);
}

TEST_CASE("priorities decide who is let in", "[stages][continuous]") {
  std::vector<Job> jobs = jobs_of({{3, 2}, {3, 2}, {3, 2}});
  jobs[0].priority = 5;
  jobs[1].priority = 7;
  jobs[2].priority = -1;
  ContinuousOptions how = limits(1, 8);
  how.scheduler.policy = Policy::priority;
  CHECK(members_of_steps(serve(jobs, how)) == Members{{2}, {2}, {0}, {0}, {1}, {1}});
}

TEST_CASE("other schedules are simulated for the lengths that came out", "[stages][continuous]") {
  const std::vector<Job> jobs =
      mixed_requests({.count = 12, .mean_gap_ns = 1'000'000, .seed = 37}, tales_400k().config());
  const ContinuousOptions how = limits(4, 64);
  const RunLog log = serve(jobs, how);
  const Workload workload = workload_of(jobs, log);
  REQUIRE(workload.requests.size() == jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    CHECK(workload.requests[i].arrival_ns == jobs[i].arrival_ns);
    CHECK(workload.requests[i].output_tokens == int64_t(log.requests[i].output_ids.size()));
  }
  const std::vector<WorkLine> lines = alternative_schedules(jobs, log, how, CostModel::constant_step(1'000'000));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].remark.find(fmt::format("{:.1f} ms in all", milliseconds(log.start, log.end))) != std::string::npos);
}
