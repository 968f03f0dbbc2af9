/// @file
/// The shrinker on engines that are broken on purpose: from a drawn cell with many requests it must come down to what the
/// fault takes, and no further.
#include "tests/engines/shrink.h"

#include <algorithm>
#include <iostream>

#include "tests/catch.h"
#include "tests/engines/cell_requests.h"
#include "tests/engines/failing_cell.h"
#include "tests/stages/mixed_requests.h"

namespace stagecraft::testing {
namespace {

/// Right, but for what `spoil` does to the log.
class SpoiledEngine final : public StageEngine {
 public:
  using Spoil = std::function<void(const std::vector<Job>&, RunLog&)>;

  SpoiledEngine(std::unique_ptr<StageEngine> right, Spoil spoil) : right_(std::move(right)), spoil_(std::move(spoil)) {}

  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const override {
    return right_->kv_slots(jobs, memory);
  }
  RunLog run(const RunInput& input) override {
    RunLog log = right_->run(input);
    spoil_(input.jobs, log);
    return log;
  }

 private:
  std::unique_ptr<StageEngine> right_;
  Spoil spoil_;
};

CellRun run_spoiled(const Cell& cell, const SpoiledEngine::Spoil& spoil) {
  return run_cell(cell, engine_model(cell.model, cell.device), [&](const Cell& described, TestModel& on) {
    return std::make_unique<SpoiledEngine>(engine_of(described, on), spoil);
  });
}

/// A prefix that two requests share spoils the later one, if that writes more than five tokens.
void spoil_shared_prefixes(const std::vector<Job>& jobs, RunLog& log) {
  constexpr size_t kShared = 3, kSpoiled = 5;
  const auto shares = [&](const Request& a, const Request& b) {
    return a.tokens.size() >= kShared && b.tokens.size() >= kShared &&
           std::equal(a.tokens.begin(), a.tokens.begin() + kShared, b.tokens.begin());
  };
  for (size_t i = 0; i < jobs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      std::vector<TokenId>& ids = log.requests[i].output_ids;
      if (shares(jobs[i].request, jobs[j].request) && ids.size() > kSpoiled) ids[kSpoiled] ^= 1;
    }
  }
}

/// Four requests that share their first tokens, among others, in an engine with all options on.
Cell crowded_cell() {
  Cell cell;
  cell.stage = 6;
  cell.scheduler = {.policy = Policy::priority, .max_running = 5, .max_chunk = 7};
  cell.token_budget = 17;
  cell.kv_type = NumberType::fp32;
  cell.drafting = Drafting::ngram;
  cell.block_size = 2;
  cell.twice = true;
  const ModelConfig& config = engine_model(cell.model, cell.device).config();
  cell.jobs = mixed_requests({.count = 12, .longest_prompt = 30, .longest_output = 20, .mean_gap_ns = 500'000}, config);
  for (const size_t alike : {3, 5, 6, 11}) {
    Request& request = cell.jobs[alike].request;
    request.tokens.insert(request.tokens.begin(), {11, 12, 13, 14, 15, 16, 17, 18});
    request.prompt_tokens += 8;
    request.max_tokens += 9;
  }
  return cell;
}

}  // namespace

TEST_CASE("the shrinker comes down to the two requests that a fault takes, as short as it takes", "[engines][shrink]") {
  const Cell cell = crowded_cell();
  const auto rerun = [](const Cell& changed) { return run_spoiled(changed, spoil_shared_prefixes); };
  const CellRun failed = rerun(cell);
  REQUIRE(failed.verdict == CellRun::Verdict::differs);
  const Shrunk small = shrink(
      cell, [&](const Cell& changed) { return rerun(changed).verdict == failed.verdict; }, 400);
  INFO(describe(small.cell));
  CHECK(small.runs <= 400);
  REQUIRE(small.cell.jobs.size() == 2);
  CHECK(small.cell.jobs[0].request.prompt_tokens == 3);
  CHECK(small.cell.jobs[1].request.prompt_tokens == 3);
  CHECK(small.cell.jobs[0].request.max_tokens == 1);
  CHECK(small.cell.jobs[1].request.max_tokens == 6);
  CHECK(small.cell.jobs[1].arrival_ns == 0);
  CHECK(small.cell.jobs[1].request.sampling.temperature == 0);
  CHECK(small.cell.drafting == Drafting::none);
  CHECK(small.cell.kv_type == NumberType::bf16);
  CHECK_FALSE(small.cell.twice);
  CHECK(small.cell.scheduler.max_chunk == SchedulerOptions::kWholePrompt);
}

TEST_CASE("an option that a fault takes stays, all others go", "[engines][shrink]") {
  const Cell cell = crowded_cell();
  int runs = 0;
  const Shrunk small = shrink(
      cell,
      [&](const Cell& changed) {
        ++runs;
        return changed.scheduler.max_chunk == 7 && changed.block_size == 2 && changed.jobs.size() >= 3;
      },
      1000);
  CHECK(small.runs == runs);
  CHECK(small.cell.scheduler.max_chunk == 7);
  CHECK(small.cell.block_size == 2);
  CHECK(small.cell.scheduler.policy == Policy::fcfs);
  CHECK(small.cell.drafting == Drafting::none);
  CHECK(small.cell.jobs.size() == 3);
}

TEST_CASE("the shrinker stops after as many runs as it may make", "[engines][shrink]") {
  int runs = 0;
  const Shrunk small = shrink(
      crowded_cell(), [&](const Cell&) { return ++runs > 0; }, 10);
  CHECK(small.runs == 10);
  CHECK(runs == 10);
}

TEST_CASE("a request that is left out takes no one with it: ids count up, its samples stand for themselves",
          "[engines][shrink]") {
  const ModelConfig& config = engine_model("models/tales-400k", "cpu").config();
  std::vector<Job> jobs;
  for (int id = 0; id < 5; ++id) jobs.push_back(simple_job(id, 4 + id, 2, config));
  jobs[2].request.sample_of = 1;
  jobs[4].request.sample_of = 3;
  const std::vector<Job> fewer = without_job(jobs, 1);
  REQUIRE(fewer.size() == 4);
  for (int id = 0; id < 4; ++id) CHECK(fewer[size_t(id)].request.id == id);
  CHECK_FALSE(fewer[1].request.sample_of.has_value());
  CHECK(fewer[1].request.prompt_tokens == 6);
  CHECK(fewer[3].request.sample_of == 2);
}

TEST_CASE("the report of a failing cell says what differs, how to run it again, and the smallest set of requests",
          "[engines][shrink]") {
  Cell cell = crowded_cell();
  cell.seed = 42;
  cell.number = 17;
  const auto rerun = [](const Cell& changed) { return run_spoiled(changed, spoil_shared_prefixes); };
  const std::string report = report_failure(cell, rerun(cell), rerun);
  INFO(report);
  for (const char* part : {"cell 17 of seed 42", "output token 5 is", "STAGECRAFT_SEED=42 STAGECRAFT_CELL=17 ",
                           "test_engines \"[matrix]\"", "smallest that fails", "request 1: prompt of 3"}) {
    CHECK(report.find(part) != std::string::npos);
  }
}

TEST_CASE("a cell is the same whenever it is drawn, and another number is another cell", "[engines][matrix]") {
  for (const int number : {0, 5, 77}) {
    CHECK(describe(draw_cell(3, number)) == describe(draw_cell(3, number)));
    CHECK(describe(draw_cell(3, number)) != describe(draw_cell(3, number + 1)));
    CHECK(describe(draw_cell(3, number)) != describe(draw_cell(4, number)));
  }
}

}  // namespace stagecraft::testing
