/// @file
/// What all engines share: from a plan to a batch, and the record of a step.
#include "stages/core/engine_run.h"

#include "stages/core/slot_kv_store.h"
#include "tests/catch.h"
#include "tests/stages/mixed_requests.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

Request request_of(int id, std::vector<TokenId> tokens, int64_t computed) {
  Request request;
  request.id = id;
  request.tokens = std::move(tokens);
  request.prompt_tokens = int64_t(request.tokens.size());
  request.max_tokens = 9;
  request.num_computed = computed;
  return request;
}

/// Drives a run by hand: each step of `plans` says which requests take part.
class ByHand final : public StageEngine {
 public:
  ByHand(std::vector<std::vector<int>> plans, bool forgets) : plans_(std::move(plans)), forgets_(forgets) {}
  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory&) const override {
    return int64_t(jobs.size()) * most_stored(jobs);
  }
  RunLog run(const RunInput& input) override {
    SlotKvStore store(
        {int(input.jobs.size()), most_stored(input.jobs), input.model.config().kv_bytes_per_token(input.pool.type())});
    EngineRun run(input, store);
    for (const std::vector<int>& members : plans_) {
      StepPlan plan;
      for (const int id : members) {
        Request& request = run.requests()[size_t(id)].request();
        if (forgets_) request.num_computed = 0;
        check(store.reserve(request, int64_t(request.tokens.size())), "there is a region for each");
        plan.items.push_back(catch_up(request));
      }
      run.forward(plan);
      run.deliver(plan, run.sample(plan));
      advance(plan);
    }
    return run.finish();
  }

 private:
  std::vector<std::vector<int>> plans_;
  bool forgets_;
};

}  // namespace

TEST_CASE("a plan becomes ragged rows: tokens, absolute positions, slots of each request's region, logit rows",
          "[stages][batch]") {
  Request a = request_of(0, {10, 11, 12, 13, 14}, 2), b = request_of(1, {20, 21, 22}, 2),
          c = request_of(2, {30, 31}, 0);
  SlotKvStore store({.max_running = 3, .slots_per_request = 8});
  for (const Request* request : {&a, &b, &c}) REQUIRE(store.reserve(*request, 5));
  // b: its one pending token; c: all; a: two rows of three, no logits yet
  const ForwardBatch batch = make_batch({{{&b, 2, 1, 1}, {&c, 0, 2, 1}, {&a, 2, 2, 0}}}, store);
  CHECK(batch.tokens == std::vector<TokenId>{22, 30, 31, 12, 13});
  CHECK(batch.positions == std::vector<int32_t>{2, 0, 1, 2, 3});
  CHECK(batch.query_start == std::vector<int32_t>{0, 1, 3, 5});
  CHECK(batch.slots == std::vector<int64_t>{8 + 2, 16, 17, 2, 3});
  CHECK(batch.first_slot == std::vector<int64_t>{8, 16, 0});
  CHECK(batch.logit_rows == std::vector<int32_t>{0, 2});
}

TEST_CASE("several logit rows of one request are its last rows, in order", "[stages][batch]") {
  Request a = request_of(0, {10, 11, 12, 13, 14}, 1);
  SlotKvStore store({.max_running = 1, .slots_per_request = 8});
  REQUIRE(store.reserve(a, 5));
  CHECK(make_batch({{{&a, 1, 4, 3}}}, store).logit_rows == std::vector<int32_t>{1, 2, 3});
}

TEST_CASE("K/V of a request that sits a step out are counted as held", "[stages][counting]") {
  const ModelConfig& config = tales_400k().config();
  ByHand engine({{0, 1}, {1}, {1}}, false);
  const RunLog log = run_engine(engine, tales_400k(), {simple_job(0, 7, 5, config), simple_job(1, 4, 5, config)});
  REQUIRE(log.steps.size() == 3);
  const int64_t bytes = config.kv_bytes_per_token(NumberType::bf16);
  CHECK(log.steps[0].kv_used_bytes == (7 + 4) * bytes);
  CHECK(log.steps[2].kv_used_bytes == (7 + 6) * bytes);
  const Counts counts = count_work(log.steps, {.kv_bytes_per_token = 10});
  CHECK(counts.kv_bytes_used_peak == (7 + 6) * bytes);
  CHECK(counts.kv_bytes_read == ((7 + 4) + 5 + 6) * 10);
}

TEST_CASE("rows that an earlier step has computed are counted as recomputed", "[stages][counting]") {
  const ModelConfig& config = tales_400k().config();
  ByHand engine({{0}, {0}, {0}}, true);
  const RunLog log = run_engine(engine, tales_400k(), {simple_job(0, 5, 9, config)});
  const Counts counts = count_work(log.steps, {});
  CHECK(counts.tokens_forwarded == 5 + 6 + 7);
  CHECK(counts.tokens_recomputed == 5 + 6);
}

TEST_CASE("two jobs with one id are a bug of the caller", "[stages][control]") {
  const ModelConfig& config = tales_400k().config();
  ByHand engine({}, false);
  CHECK_THROWS_AS(run_engine(engine, tales_400k(), {simple_job(0, 5, 9, config), simple_job(0, 5, 9, config)}),
                  std::logic_error);
}
