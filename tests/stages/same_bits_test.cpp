/// @file
/// EXACTNESS T5, T9, T12: each stage gives the tokens of the stage before it, whatever the schedule makes of the batch.
#include <algorithm>
#include <random>

#include "stages/1_naive/engine.h"
#include "stages/2_kv_cache/engine.h"
#include "stages/3_batching/engine.h"
#include "stages/4_continuous_batching/engine.h"
#include "tests/catch.h"
#include "tests/sanitized.h"
#include "tests/stages/mixed_requests.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr int64_t kStepNs = 1'000'000;

ContinuousOptions continuous(int max_running, int64_t budget, int64_t chunk = SchedulerOptions::kWholePrompt,
                             Policy policy = Policy::fcfs) {
  ContinuousOptions options;
  options.scheduler.policy = policy;
  options.scheduler.max_running = max_running;
  options.scheduler.max_chunk = chunk;
  options.token_budget = budget;
  return options;
}

RunLog run_stage2(TestModel& on, const std::vector<Job>& jobs, const RunOptions& options = {}) {
  KvCacheEngine engine;
  return run_engine(engine, on, jobs, options);
}

RunLog run_stage3(TestModel& on, const std::vector<Job>& jobs, int batch, const RunOptions& options = {}) {
  StaticBatchEngine engine(batch);
  return run_engine(engine, on, jobs, options);
}

RunLog run_stage4(TestModel& on, const std::vector<Job>& jobs, const ContinuousOptions& how,
                  const RunOptions& options = {}) {
  ContinuousEngine engine(how);
  return run_engine(engine, on, jobs, options);
}

}  // namespace

TEST_CASE("64 mixed requests: stages 1 to 4 give the same tokens, texts and ends", "[stages][T5]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = mixed_requests(
      {.longest_prompt = 40, .longest_output = 24, .mean_gap_ns = 3 * kStepNs, .stop = {"the", "\n"}}, on.config());
  RunOptions options;
  options.ends_at_end_of_text = true;
  NaiveEngine naive;
  const RunLog stage1 = run_engine(naive, on, jobs, options);
  CHECK(std::any_of(stage1.requests.begin(), stage1.requests.end(),
                    [](const RequestRecord& r) { return r.finish_reason == FinishReason::stop; }));
  const RunLog stage2 = run_stage2(on, jobs, options);
  CHECK(difference(stage1, stage2) == "");
  const RunLog stage3 = run_stage3(on, jobs, 8, options);
  CHECK(difference(stage2, stage3) == "");
  CHECK(difference(stage3, run_stage4(on, jobs, continuous(8, 32), options)) == "");
}

TEST_CASE("any batch size gives the tokens of stage 2", "[stages][T5]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = mixed_requests({.count = 40, .seed = 2}, on.config());
  const RunLog stage2 = run_stage2(on, jobs);
  for (const int batch : {1, 2, 3, 7, 16, 33, 64}) {
    INFO("batch " << batch);
    CHECK(difference(stage2, run_stage3(on, jobs, batch)) == "");
  }
}

TEST_CASE("any budget, chunk, policy and number of running requests give the tokens of stage 2", "[stages][T3][T5]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = mixed_requests({.count = 32, .mean_gap_ns = kStepNs, .seed = 3}, on.config());
  const RunLog stage2 = run_stage2(on, jobs);
  const int64_t all = SchedulerOptions::kWholePrompt;
  for (const int64_t chunk :
       {int64_t{1}, int64_t{2}, int64_t{7}, int64_t{16}, int64_t{63}, int64_t{64}, int64_t{65}, all}) {
    INFO("chunk " << chunk);
    CHECK(difference(stage2, run_stage4(on, jobs, continuous(6, 70, chunk))) == "");
  }
  for (const int64_t budget : {int64_t{1}, int64_t{5}, all}) {
    for (const int max_running : {1, 5, 32}) {
      INFO("budget " << budget << ", running " << max_running);
      CHECK(difference(stage2, run_stage4(on, jobs, continuous(max_running, budget))) == "");
    }
  }
  for (const Policy policy : {Policy::shortest_prompt_first, Policy::priority}) {
    CHECK(difference(stage2, run_stage4(on, jobs, continuous(4, 32, all, policy))) == "");
  }
}

TEST_CASE("512 tokens at temperature 0, 0.7 and 1.5: all stages agree to the last", "[stages][T5]") {
  TestModel on("tests/golden/models/llama");  // a context of 512
  const int tokens = repetitions(511, 79);    // behind the prompt; at least past an attention tile
  std::vector<Job> jobs;
  for (const float temperature : {0.0f, 0.7f, 1.5f}) {
    jobs.push_back(simple_job(int(jobs.size()), 1, tokens, on.config()));
    jobs.back().request.sampling.temperature = temperature;
    jobs.back().request.sampling.seed = 77;
  }
  const RunLog stage2 = run_stage2(on, jobs);
  CHECK(stage2.requests.back().output_ids.size() == size_t(tokens));
  CHECK(difference(stage2, run_stage3(on, jobs, 3)) == "");
  CHECK(difference(stage2, run_stage4(on, jobs, continuous(2, 9))) == "");

  std::vector<Job> hottest = {jobs.back()};  // stage 1 takes as long as all others together
  hottest.front().request.id = 0;
  NaiveEngine naive;
  CHECK(difference(run_engine(naive, on, hottest), run_stage2(on, hottest)) == "");
}

TEST_CASE("the stages agree on the larger model, with each type of K and V", "[stages][T5]") {
  TestModel& on = tales_5m();
  const std::vector<Job> jobs = mixed_requests(
      {.count = 6, .longest_prompt = 30, .longest_output = 8, .mean_gap_ns = kStepNs, .seed = 5}, on.config());
  for (const NumberType type : {NumberType::bf16, NumberType::fp16, NumberType::fp32}) {
    RunOptions options;
    options.kv_type = type;
    NaiveEngine naive;
    const RunLog stage1 = run_engine(naive, on, jobs, options);
    CHECK(difference(stage1, run_stage2(on, jobs, options)) == "");
    CHECK(difference(stage1, run_stage3(on, jobs, 4, options)) == "");
    CHECK(difference(stage1, run_stage4(on, jobs, continuous(4, 16), options)) == "");
  }
}

TEST_CASE("one request among random others, in random rows, writes what it writes alone", "[stages][T9]") {
  TestModel& on = tales_400k();
  Job target = simple_job(0, 33, 30, on.config());
  target.request.sampling = {.temperature = 1.5f, .seed = 9};
  const std::vector<TokenId> alone = run_stage2(on, {target}).requests.front().output_ids;
  std::mt19937 random(4);
  for (uint64_t round = 0; round < 6; ++round) {
    std::vector<Job> jobs = mixed_requests({.count = 12, .seed = 40 + round}, on.config());
    const size_t place = random() % jobs.size();
    const int id = jobs[place].request.id;
    jobs[place].request = target.request;
    jobs[place].request.id = id;
    INFO("round " << round << ", request " << place);
    CHECK(run_stage3(on, jobs, 5).requests[place].output_ids == alone);
    CHECK(run_stage4(on, jobs, continuous(5, 1 + int64_t(random() % 60))).requests[place].output_ids == alone);
  }
}

TEST_CASE("a run repeated is the same run, times included", "[stages][T12]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = mixed_requests({.count = 24, .mean_gap_ns = 2 * kStepNs, .seed = 6}, on.config());
  const RunLog first = run_stage4(on, jobs, continuous(4, 24)), second = run_stage4(on, jobs, continuous(4, 24));
  CHECK(difference(first, second) == "");
  REQUIRE(first.steps.size() == second.steps.size());
  for (size_t i = 0; i < first.steps.size(); ++i) {
    CHECK(first.steps[i].start == second.steps[i].start);
    CHECK(first.steps[i].parts.size() == second.steps[i].parts.size());
  }
}
