/// @file
/// A request that ends inside its draft: by an end of text, by a stop text, by its length. What the oracle drafted behind
/// the end is right, accepted by the verifier, and must not be written.
#include "tests/catch.h"
#include "tests/engines/step_watch.h"

namespace stagecraft::testing {
namespace {

constexpr int kLength = 8;  // of the drafts

/// One request of 20 tokens, in a watched stage 6 with an oracle.
Cell oracle_cell() {
  Cell cell = busy_cell();
  cell.drafting = Drafting::oracle;
  cell.length.length = kLength;
  cell.token_budget = 64;
  cell.scheduler.max_chunk = SchedulerOptions::kWholePrompt;
  cell.pool_blocks.reset();
  cell.jobs.resize(2);
  for (Job& job : cell.jobs) {
    job.request.max_tokens = 20;
    job.request.sampling = {.temperature = 1.5f, .seed = 4};
  }
  return cell;
}

/// The last share that request 0 had of a step.
StepPart last_part(const RunLog& log) {
  StepPart last;
  for (const StepRecord& step : log.steps) {
    for (const StepPart& part : step.parts) {
      if (part.request == 0) last = part;
    }
  }
  return last;
}

/// The cell's run, and that it is what stage 2 writes.
RunLog right_run(const Cell& cell) {
  const CellRun run = run_cell(cell);
  CHECK(run.what == "");
  return run.log;
}

}  // namespace

TEST_CASE("an end of text at each place of a draft ends the text there", "[engines][fault][drafter]") {
  Cell cell = oracle_cell();
  const std::vector<TokenId> whole = expected_of(cell).requests[0].output_ids;
  REQUIRE(whole.size() == 20);
  int inside = 0;
  for (size_t place = 0; place < whole.size(); ++place) {
    INFO("token " << place << " ends the text");
    cell.end_of_text = {whole[place]};
    const RunLog log = right_run(cell);
    CHECK(log.requests[0].finish_reason == FinishReason::stop);
    CHECK(log.requests[0].output_ids.back() == whole[place]);
    CHECK(log.requests[0].output_ids.size() <= place + 1);
    const StepPart part = last_part(log);
    inside += part.drafted > 0 && part.accepted < part.drafted;
  }
  CHECK(inside > kLength / 2);
}

TEST_CASE("a stop text at each place of a draft ends the text before it", "[engines][fault][drafter]") {
  Cell cell = oracle_cell();
  cell.model = "models/tales-400k";
  cell.jobs[0].request.sampling = cell.jobs[1].request.sampling = {};
  const std::string whole = expected_of(cell).requests[0].text;
  REQUIRE(whole.size() > 20);
  int inside = 0;
  for (size_t place = 0; place + 3 <= whole.size(); ++place) {
    const std::string stop = whole.substr(place, 3);
    INFO("the text ends at '" << stop << "'");
    cell.jobs[0].request.stop = {stop};
    const CellRun run = run_cell(cell);
    REQUIRE(run.what == "");
    CHECK(run.log.requests[0].finish_reason == FinishReason::stop);
    CHECK(run.log.requests[0].text.find(stop) == std::string::npos);
    const StepPart part = last_part(run.log);
    inside += part.drafted > 0 && part.accepted < part.drafted;
  }
  CHECK(inside > kLength / 2);
}

TEST_CASE("a length that is reached inside what could be drafted is kept to the token", "[engines][fault][drafter]") {
  Cell cell = oracle_cell();
  for (int64_t length = 1; length <= 20; ++length) {
    INFO("length " << length);
    cell.jobs[0].request.max_tokens = length;
    const RunLog log = right_run(cell);
    CHECK(int64_t(log.requests[0].output_ids.size()) == length);
    CHECK(log.requests[0].finish_reason == FinishReason::length);
    CHECK(last_part(log).kv_length <= cell.jobs[0].request.prompt_tokens + length - 1);
  }
}

}  // namespace stagecraft::testing
