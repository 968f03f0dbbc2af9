/// @file
/// Stage 3: who is in a batch, what its padding is, and times on a virtual clock that are computed by hand.
#include <chrono>

#include "stages/3_batching/engine.h"
#include "stages/3_batching/padding.h"
#include "stages/3_batching/work.h"
#include "stages/4_continuous_batching/simulation.h"
#include "stages/core/counting_laws.h"
#include "tests/catch.h"
#include "tests/stages/mixed_requests.h"
#include "tests/stages/schedules.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

TEST_CASE("a batch is held by its slowest, and who comes later waits for all of it", "[stages][static][virtual]") {
  // Two places, a step takes 1 ms. A: 4 tokens, B: 2 tokens, C arrives at 1.5 ms and wants 1.
  //   0-1 A B | 1-2 A B (B ends) | 2-3 A . | 3-4 A . (A ends) | 4-5 C
  TestModel& on = tales_400k();
  std::vector<Job> jobs = {simple_job(0, 5, 4, on.config()), simple_job(1, 9, 2, on.config()),
                           simple_job(2, 3, 1, on.config())};
  jobs[2].arrival_ns = 1'500'000;
  StaticBatchEngine engine(2);
  const RunLog log = run_engine(engine, on, jobs);
  CHECK(members_of_steps(log) == std::vector<std::vector<int>>{{0, 1}, {0, 1}, {0}, {0}, {2}});
  CHECK(padded_of_steps(log) == std::vector<int64_t>{0, 0, 1, 1, 0});
  CHECK(ms_since_start(log, *log.requests[2].scheduled) == 4.0);
  CHECK(*request_metrics(log.requests[2]).queue_ms == 2.5);
  CHECK(*request_metrics(log.requests[2]).ttft_ms == 3.5);
}

TEST_CASE("the padding counted is the padding of the law", "[stages][static][counting]") {
  TestModel& on = tales_400k();
  const std::vector<int64_t> lengths = {7, 1, 4, 12, 3};
  std::vector<Job> jobs;
  for (const int64_t length : lengths) jobs.push_back(simple_job(int(jobs.size()), 2 + length, length, on.config()));
  StaticBatchEngine engine(5);
  const RunLog log = run_engine(engine, on, jobs);
  const Counts counts = count_work(log.steps, {});
  CHECK(*counts.padded_tokens == 5 * 12 - (7 + 1 + 4 + 12 + 3));
  CHECK(double(*counts.padded_tokens) / (5 * 12) == Approx(static_padding_share(lengths)));
  CHECK(batches_of(log) == std::vector<BatchLengths>{lengths});
  CHECK(padding_law(batches_of(log)).padded == *counts.padded_tokens);
  CHECK(counts.forward_passes == 12);
}

TEST_CASE("equal lengths pad nothing; the last batch may be smaller", "[stages][static][counting]") {
  TestModel& on = tales_400k();
  std::vector<Job> jobs;
  for (int id = 0; id < 5; ++id) jobs.push_back(simple_job(id, 6, 3, on.config()));
  StaticBatchEngine engine(2);
  const RunLog log = run_engine(engine, on, jobs);
  CHECK(*count_work(log.steps, {}).padded_tokens == 0);
  CHECK(batches_of(log) == std::vector<BatchLengths>{{3, 3}, {3, 3}, {3}});
}

TEST_CASE("K/V of a request that has ended are no longer used, though its region stays reserved", "[stages][static]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = {simple_job(0, 8, 1, on.config()), simple_job(1, 4, 3, on.config())};
  StaticBatchEngine engine(2);
  const RunLog log = run_engine(engine, on, jobs);
  const int64_t bytes = on.config().kv_bytes_per_token(NumberType::bf16);
  REQUIRE(log.steps.size() == 3);
  CHECK(log.steps[0].kv_used_bytes == (8 + 4) * bytes);
  CHECK(log.steps[1].kv_used_bytes == 5 * bytes);
  CHECK(log.steps[2].kv_used_bytes == 6 * bytes);
}

TEST_CASE("lock step takes the times that the simulation says", "[stages][static][virtual]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = mixed_requests({.count = 30, .mean_gap_ns = 4'000'000, .seed = 21}, on.config());
  StaticBatchEngine engine(4);
  const RunLog log = run_engine(engine, on, jobs);
  SimulationOptions how;
  how.kind = BatchingKind::lock_step;
  how.cost = CostModel::constant_step(1'000'000);
  how.scheduler.max_running = 4;
  const SimulationResult expected = simulate(workload_of_jobs(jobs), how);
  CHECK(step_starts(log) == step_starts(expected.log));
  CHECK(*count_work(log.steps, {}).padded_tokens == expected.padded_slots);
}

TEST_CASE("decoding rate counts the steps in which every request computed one token", "[stages][static]") {
  // 2 requests of 3 tokens, 1 ms a step: one step of prompts, then 2 steps of 2 rows. Stored: 6 + 9, then 7 + 10 tokens.
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = {simple_job(0, 5, 3, on.config()), simple_job(1, 8, 3, on.config())};
  StaticBatchEngine engine(2);
  const std::optional<DecodeRate> rate = decode_rate(run_engine(engine, on, jobs), {1000, 10});
  REQUIRE(rate);
  CHECK(rate->steps == 2);
  CHECK(rate->rows == 2.0);
  CHECK(rate->kv_length == 8.0);
  CHECK(rate->tokens_per_s == Approx(2000.0));
  CHECK(rate->bytes_per_s == Approx((2 * 1000 + 32 * 10) / 2e-3));
}

TEST_CASE("the roofline leaves memory where rows take longer to compute than weights and K/V to read",
          "[stages][static]") {
  // weights 1000 bytes, 10 bytes a stored token, 100 FLOP a row; 1 GB/s, 1 GFLOP/s: 1 us of weights; a row of 5 tokens
  // computes for 100 ns and reads for 50 ns, so 1000 / (100 - 50) = 20 rows
  const std::optional<Roofline> roofline = roofline_of(1000, 10, 50, {1.0, 1.0});
  REQUIRE(roofline);
  CHECK(*roofline->rows_to_leave_memory(5) == Approx(20.0));
  CHECK_FALSE(roofline->rows_to_leave_memory(10));
  CHECK_FALSE(roofline_of(1000, 10, 50, {1.0, std::nullopt}));
}

TEST_CASE("a batch of nobody is bad input", "[stages][static][bad input]") {
  CHECK_THROWS_AS(StaticBatchEngine(0), BadInput);
}
