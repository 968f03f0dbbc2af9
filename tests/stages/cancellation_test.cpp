/// @file
/// A request may be cancelled at any moment: before it comes, in the queue, in the middle of its prompt, while it
/// writes. It stops there, its memory is free for others, and nobody else's tokens change.
#include "stages/1_naive/engine.h"
#include "stages/2_kv_cache/engine.h"
#include "stages/3_batching/engine.h"
#include "stages/4_continuous_batching/engine.h"
#include "stages/core/random_stream.h"
#include "tests/catch.h"
#include "tests/stages/mixed_requests.h"
#include "tests/stages/schedules.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr int kCancelled = 1;

ContinuousOptions small_steps() {
  ContinuousOptions options;
  options.scheduler.max_running = 2;
  options.token_budget = 4;
  return options;
}

std::vector<Job> three_jobs() {
  const ModelConfig& config = tales_400k().config();
  return {simple_job(0, 5, 12, config), simple_job(kCancelled, 14, 9, config), simple_job(2, 6, 7, config)};
}

/// The others have what they have without any cancellation, and the cancelled one a beginning of it.
void check_others_unharmed(const RunLog& log, const std::vector<Job>& jobs) {
  KvCacheEngine undisturbed;
  const RunLog expected = run_engine(undisturbed, tales_400k(), jobs);
  for (const size_t other : {0, 2}) {
    CHECK(log.requests[other].finish_reason == FinishReason::length);
    CHECK(log.requests[other].output_ids == expected.requests[other].output_ids);
  }
  const RequestRecord& cancelled = log.requests[kCancelled];
  CHECK(cancelled.finish_reason == FinishReason::cancelled);
  const std::vector<TokenId>& all = expected.requests[kCancelled].output_ids;
  REQUIRE(cancelled.output_ids.size() < all.size());
  CHECK(std::equal(cancelled.output_ids.begin(), cancelled.output_ids.end(), all.begin()));
}

RunOptions cancel_when(std::function<bool(const Request&)> moment) {
  RunOptions options;
  options.cancelled = [moment = std::move(moment)](const Request& request) {
    return request.id == kCancelled && moment(request);
  };
  return options;
}

}  // namespace

TEST_CASE("cancelled in the queue: it computes nothing", "[stages][cancel]") {
  std::vector<Job> jobs = three_jobs();
  ContinuousOptions how = small_steps();
  how.scheduler.max_running = 1;
  ContinuousEngine engine(how);
  const RunLog log = run_engine(engine, tales_400k(), jobs, cancel_when([](const Request&) { return true; }));
  check_others_unharmed(log, jobs);
  CHECK_FALSE(log.requests[kCancelled].scheduled);
}

TEST_CASE("cancelled in the middle of its prompt: its place goes to the next at once", "[stages][cancel]") {
  const std::vector<Job> jobs = three_jobs();
  ContinuousEngine engine(small_steps());
  const RunLog log =
      run_engine(engine, tales_400k(), jobs, cancel_when([](const Request& r) { return r.num_computed >= 3; }));
  check_others_unharmed(log, jobs);
  CHECK(log.requests[kCancelled].output_ids.empty());
  CHECK(log.requests[kCancelled].scheduled);
  for (size_t i = 1; i < log.steps.size(); ++i) {
    const auto members = members_of_steps(log);
    const bool left = members[i - 1] == std::vector<int>{0, kCancelled} && members[i] == std::vector<int>{0, 2};
    if (left) return;
  }
  FAIL("request 2 did not take over in the step after the cancellation");
}

TEST_CASE("cancelled while it writes: it keeps what it has", "[stages][cancel]") {
  const std::vector<Job> jobs = three_jobs();
  const RunOptions options = cancel_when([](const Request& r) { return r.generated() >= 4; });
  ContinuousEngine continuous(small_steps());
  StaticBatchEngine lock_step(3);
  KvCacheEngine cached;
  NaiveEngine naive;
  for (StageEngine* engine : std::initializer_list<StageEngine*>{&continuous, &lock_step, &cached, &naive}) {
    const RunLog log = run_engine(*engine, tales_400k(), jobs, options);
    check_others_unharmed(log, jobs);
    CHECK(log.requests[kCancelled].output_ids.size() == 4);
  }
}

TEST_CASE("cancelled before it arrives: nobody waits for it", "[stages][cancel]") {
  std::vector<Job> jobs = three_jobs();
  jobs[kCancelled].arrival_ns = 20'000'000;
  jobs[2].arrival_ns = 30'000'000;
  ContinuousEngine continuous(small_steps());
  StaticBatchEngine lock_step(2);
  KvCacheEngine cached;
  for (StageEngine* engine : std::initializer_list<StageEngine*>{&continuous, &lock_step, &cached}) {
    const RunLog log = run_engine(*engine, tales_400k(), jobs, cancel_when([](const Request&) { return true; }));
    check_others_unharmed(log, jobs);
    CHECK_FALSE(log.requests[kCancelled].scheduled);
  }
}

TEST_CASE("everything cancelled at once ends the run after the step under way", "[stages][cancel]") {
  const std::vector<Job> jobs =
      mixed_requests({.count = 20, .mean_gap_ns = 1'000'000, .seed = 51}, tales_400k().config());
  int asked = 0;
  RunOptions options;
  options.cancelled = [&](const Request&) { return ++asked > 60; };
  ContinuousEngine engine(small_steps());
  const RunLog log = run_engine(engine, tales_400k(), jobs, options);
  CHECK(log.requests.back().finish_reason == FinishReason::cancelled);
  CHECK(log.steps.size() < 40);
}

TEST_CASE("cancelled at random moments, again and again: the rest is always the same", "[stages][cancel]") {
  const std::vector<Job> jobs =
      mixed_requests({.count = 16, .mean_gap_ns = 1'000'000, .seed = 52}, tales_400k().config());
  KvCacheEngine undisturbed;
  const RunLog expected = run_engine(undisturbed, tales_400k(), jobs);
  for (uint64_t round = 0; round < 8; ++round) {
    RandomStream random(round, 7);
    RunOptions options;
    options.cancelled = [&](const Request&) { return random.below(100) < 2; };
    ContinuousEngine engine(small_steps());
    const RunLog log = run_engine(engine, tales_400k(), jobs, options);
    for (size_t i = 0; i < jobs.size(); ++i) {
      const std::vector<TokenId>&got = log.requests[i].output_ids, &all = expected.requests[i].output_ids;
      const bool cancelled = log.requests[i].finish_reason == FinishReason::cancelled;
      CHECK((cancelled || got.size() == all.size()));
      REQUIRE(got.size() <= all.size());
      CHECK(std::equal(got.begin(), got.end(), all.begin()));
    }
  }
}
