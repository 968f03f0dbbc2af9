/// @file
/// Plan and commit: chunks, budgets, who goes first, and what happens to a request that is cancelled, refused or
/// preempted. One test for every kind of scheduler fault that real engines had.
#include "stages/4_continuous_batching/scheduler.h"

#include <stdexcept>

#include "tests/catch.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

constexpr int64_t kPlenty = 1'000'000;

struct Share {
  int id;
  int64_t first, tokens, logit_rows;
  bool operator==(const Share&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Share& share) {
  return out << "{" << share.id << ", " << share.first << ", " << share.tokens << ", " << share.logit_rows << "}";
}

std::vector<Share> shares(const StepPlan& plan) {
  std::vector<Share> shares;
  for (const StepItem& item : plan.items) {
    shares.push_back({item.request->id, item.first, item.tokens, item.logit_rows});
  }
  return shares;
}

using Shares = std::vector<Share>;

TEST_CASE("a request alone: its prompt in one step, then one token a step, p + n - 1 in all", "[scheduler]") {
  ToyEngine engine({.max_running = 2});
  Request& request = engine.add(5, 3);
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 0, 5, 1}});
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 5, 1, 1}});
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 6, 1, 1}});
  CHECK(request.finished == FinishReason::length);
  CHECK(engine.scheduler.idle());
  CHECK(engine.step(kPlenty).empty());
}

TEST_CASE("requests join and leave between steps", "[scheduler]") {
  ToyEngine engine({.max_running = 2});
  engine.add(3, 2);
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 0, 3, 1}});
  engine.add(4, 1), engine.add(2, 1);
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 3, 1, 1}, {1, 0, 4, 1}});  // the third finds no place
  CHECK(shares(engine.step(kPlenty)) == Shares{{2, 0, 2, 1}});
}

TEST_CASE("chunked prefill: only the last chunk has a logit row", "[scheduler][chunk]") {
  ToyEngine engine({.max_running = 1, .max_chunk = 4});
  engine.add(10, 2);
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 0, 4, 0}});
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 4, 4, 0}});
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 8, 2, 1}});
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 10, 1, 1}});
}

TEST_CASE("chunks of any size add up to the prompt, with one logit row at its end", "[scheduler][chunk]") {
  constexpr int64_t kPrompt = 64;
  const int64_t chunk = GENERATE(values<int64_t>({1, 2, 7, 16, 63, 64, 65, SchedulerOptions::kWholePrompt}));
  ToyEngine engine({.max_running = 1, .max_chunk = chunk});
  engine.add(kPrompt, 1);
  int64_t computed = 0, steps = 0;
  while (!engine.scheduler.idle()) {
    const StepPlan plan = engine.step(kPlenty);
    REQUIRE(plan.items.size() == 1);
    CHECK(plan.items[0].first == computed);
    computed += plan.items[0].tokens;
    CHECK(plan.items[0].logit_rows == (computed == kPrompt ? 1 : 0));
    ++steps;
  }
  CHECK(computed == kPrompt);
  CHECK(steps == (kPrompt - 1) / std::min(chunk, kPrompt) + 1);
}

TEST_CASE("budget smaller than a chunk: the chunk shrinks to it", "[scheduler][chunk]") {
  ToyEngine engine({.max_running = 4, .max_chunk = 8});
  engine.add(10, 1);
  CHECK(shares(engine.step(3)) == Shares{{0, 0, 3, 0}});
  CHECK(shares(engine.step(1)) == Shares{{0, 3, 1, 0}});
  CHECK(shares(engine.step(100)) == Shares{{0, 4, 6, 1}});
}

TEST_CASE("budget below one token is refused with the smallest that works", "[scheduler]") {
  ToyEngine engine({.max_running = 1});
  engine.add(1, 1);
  CHECK(contains(complaint_of([&] { engine.scheduler.plan(0); }),
                 "0 tokens a step computes nothing | 1 is the smallest"));
  CHECK_THROWS_AS(engine.scheduler.plan(-5), BadInput);
}

TEST_CASE("decode first: a long prompt cannot take the budget from those who wait for a token", "[scheduler]") {
  ToyEngine engine({.max_running = 3});
  engine.add(2, 9), engine.add(2, 9);
  engine.step(kPlenty);
  engine.add(100, 1);
  CHECK(shares(engine.step(8)) == Shares{{0, 2, 1, 1}, {1, 2, 1, 1}, {2, 0, 6, 0}});
  CHECK(shares(engine.step(8)) == Shares{{0, 3, 1, 1}, {1, 3, 1, 1}, {2, 6, 6, 0}});
}

TEST_CASE("decode first: also when the long prompt was let in earlier", "[scheduler]") {
  ToyEngine engine({.max_running = 2, .max_chunk = 4});
  engine.add(100, 1), engine.add(2, 9);
  CHECK(shares(engine.step(8)) == Shares{{0, 0, 4, 0}, {1, 0, 2, 1}});
  CHECK(shares(engine.step(3)) == Shares{{1, 2, 1, 1}, {0, 4, 2, 0}});
}

TEST_CASE("starvation: with a budget below the number of generations, they take turns", "[scheduler][fairness]") {
  constexpr int kRequests = 5;
  ToyEngine engine({.max_running = kRequests});
  for (int i = 0; i < kRequests; ++i) engine.add(1, 21);
  engine.step(kPlenty);
  for (int step = 0; step < 20; ++step) engine.step(2);
  // 20 steps of two rows for five requests: eight each, after the one of their first step.
  for (const Request& request : engine.requests) CHECK(request.generated() == 1 + 8);
}

TEST_CASE("starvation: a long prompt that has begun is not held up by newcomers", "[scheduler][fairness]") {
  ToyEngine engine({.max_running = 3, .max_chunk = 2});
  Request& large = engine.add(40, 1);
  int steps = 0;
  for (; !large.finished && steps < 1000; ++steps) {
    while (engine.scheduler.waiting() < 2) engine.add(1, 4);
    engine.step(/*budget=*/3);
  }
  // 20 chunks alone. Two generations of four tokens can take two of the three tokens, never the third.
  CHECK(large.finished);
  CHECK(steps <= 40);
}

TEST_CASE("all requests finishing in one step leave an idle scheduler and an empty store", "[scheduler]") {
  ToyEngine engine({.max_running = 8});
  for (int i = 0; i < 8; ++i) engine.add(3 + i, 1);
  engine.step(kPlenty);
  CHECK(engine.scheduler.idle());
  CHECK(engine.own_store->holders() == 0);
  CHECK(engine.step(kPlenty).empty());
  engine.add(1, 1);  // and life goes on
  CHECK(engine.step(kPlenty).items.size() == 1);
}

TEST_CASE("a request larger than the pool is refused with a reason, and the others are served",
          "[scheduler][refusal]") {
  SlotKvStore store({.max_running = 2, .slots_per_request = 10});
  ToyEngine engine({.max_running = 2}, store);
  Request& fits = engine.add(8, 3);  // 8 + 3 - 1 = 10: the last token is never stored
  CHECK_FALSE(engine.refusal);
  Request& too_large = engine.add(8, 4);
  CHECK(engine.refusal == "it needs room for 11 tokens in the KV cache, and a request may have 10");
  CHECK(too_large.finished == FinishReason::refused);
  while (!engine.scheduler.idle()) engine.step(kPlenty);
  CHECK(fits.finished == FinishReason::length);
  CHECK(too_large.generated() == 0);
}

TEST_CASE("an empty prompt, and a request for no tokens, are refused with a reason", "[scheduler][refusal]") {
  ToyEngine engine({.max_running = 1});
  engine.add(0, 5);
  CHECK(engine.refusal == "its prompt is empty");
  engine.add(5, 0);
  CHECK(engine.refusal == "it asks for 0 tokens");
  CHECK(engine.scheduler.idle());
}

TEST_CASE("limits under which nothing could run are refused", "[scheduler][refusal]") {
  SlotKvStore store({.max_running = 1, .slots_per_request = 1});
  CHECK(contains(complaint_of([&] { Scheduler({.max_running = 0}, store); }), "max running requests is 0"));
  CHECK(contains(complaint_of([&] { Scheduler({.max_chunk = 0}, store); }), "a chunk of 0 tokens"));
  CHECK(contains(complaint_of([&] { Scheduler({.max_overtakes = -1}, store); }), "overtaken -1 times"));
}

TEST_CASE("cancel while waiting, prefilling and decoding gives back the place at once", "[scheduler][cancel]") {
  ToyEngine engine({.max_running = 2, .max_chunk = 4});
  Request& decoding = engine.add(2, 9);
  Request& prefilling = engine.add(20, 9);
  Request& waiting = engine.add(3, 9);
  engine.step(kPlenty);
  REQUIRE(decoding.generated() == 1);
  REQUIRE(prefilling.num_computed == 4);
  for (Request* request : {&waiting, &prefilling, &decoding}) {
    engine.scheduler.cancel(*request);
    CHECK(request->finished == FinishReason::cancelled);
    engine.scheduler.check_invariants();
  }
  CHECK(engine.scheduler.idle());
  CHECK(engine.own_store->holders() == 0);
}

TEST_CASE("cancel during a step: its slots stay taken until the step is done", "[scheduler][cancel]") {
  ToyEngine engine({.max_running = 1});
  Request& request = engine.add(5, 5);
  const StepPlan plan = engine.scheduler.plan(kPlenty);
  engine.scheduler.cancel(request);
  engine.scheduler.check_invariants();
  CHECK(engine.own_store->holders() == 1);
  engine.finish_step(plan);
  CHECK(engine.own_store->holders() == 0);
  CHECK(request.generated() == 0);
  CHECK(engine.scheduler.idle());
}

TEST_CASE("cancel of a request that has left, or never was, changes nothing", "[scheduler][cancel]") {
  ToyEngine engine({.max_running = 1});
  Request& done = engine.add(1, 1);
  engine.step(kPlenty);
  engine.scheduler.cancel(done);
  CHECK(done.finished == FinishReason::length);
}

TEST_CASE("cancel of a request that has just ended leaves the reason as it is", "[scheduler][cancel]") {
  ToyEngine engine({.max_running = 1});
  Request& request = engine.add(1, 5);
  const StepPlan plan = engine.scheduler.plan(kPlenty);
  request.finished = FinishReason::stop;
  engine.scheduler.cancel(request);  // before the commit
  engine.finish_step(plan);
  CHECK(request.finished == FinishReason::stop);
  CHECK(engine.scheduler.idle());
}

TEST_CASE("a place that is given back goes to the next in the queue in the same step", "[scheduler][cancel]") {
  ToyEngine engine({.max_running = 1});
  Request& first = engine.add(4, 50);
  engine.add(3, 1);
  engine.step(kPlenty);
  engine.scheduler.cancel(first);
  CHECK(shares(engine.step(kPlenty)) == Shares{{1, 0, 3, 1}});
}

TEST_CASE("preemption keeps the generated tokens, computes all again, and continues where it was",
          "[scheduler][preempt]") {
  ToyEngine engine({.max_running = 2, .max_chunk = 4});
  Request& request = engine.add(3, 5);
  engine.step(kPlenty), engine.step(kPlenty), engine.step(kPlenty);
  REQUIRE(request.generated() == 3);
  const std::vector<TokenId> before = request.tokens;
  engine.scheduler.preempt(request);
  engine.scheduler.check_invariants();
  CHECK(request.tokens == before);
  CHECK(engine.own_store->holders() == 0);
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 0, 4, 0}});
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 4, 2, 1}});
  CHECK(request.generated() == 4);
}

TEST_CASE("a preempted request goes to the place in the queue that its arrival gives it", "[scheduler][preempt]") {
  ToyEngine engine({.max_running = 1});
  Request& first = engine.add(3, 5);
  engine.step(kPlenty);
  engine.add(2, 1), engine.add(2, 1);
  engine.scheduler.preempt(first);
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 0, 4, 1}});
}

TEST_CASE("room for the older: the latest is preempted, and does not take it back in the same step",
          "[scheduler][preempt]") {
  PooledKvStore store(/*slots=*/10);
  ToyEngineWith<PreemptsLatest> engine({.max_running = 2, .max_chunk = 6}, store);
  Request& older = engine.add(5, 4);
  Request& latest = engine.add(5, 3);
  CHECK(shares(engine.step(kPlenty)) == Shares{{0, 0, 5, 1}, {1, 0, 5, 1}});
  // The pool is full. The latest gives five slots, of which four stay free: enough for a part of it, but not in this step.
  const StepPlan plan = engine.scheduler.plan(4);
  CHECK(shares(plan) == Shares{{0, 5, 1, 1}});
  CHECK(latest.num_computed == 0);
  engine.finish_step(plan);
  CHECK(shares(engine.step(4)) == Shares{{0, 6, 1, 1}, {1, 0, 3, 0}});
  while (!engine.scheduler.idle()) engine.step(kPlenty);
  CHECK(older.generated() == 4);
  CHECK(latest.generated() == 3);
}

class CountsPleas : public Scheduler {
 public:
  using Scheduler::Scheduler;
  int pleas = 0;

 protected:
  bool make_room(const Request&) override {
    ++pleas;
    return false;
  }
};

TEST_CASE("room is made for running requests only: a newcomer waits until there is some", "[scheduler][preempt]") {
  PooledKvStore store(/*slots=*/10);
  ToyEngineWith<CountsPleas> engine({.max_running = 2}, store);
  engine.add(8, 3);
  engine.step(kPlenty);
  Request& newcomer = engine.add(4, 1);
  engine.step(kPlenty);
  CHECK(engine.scheduler.pleas == 0);
  CHECK(newcomer.num_computed == 0);
}

TEST_CASE("misuse by an engine is caught, not obeyed", "[scheduler][misuse]") {
  ToyEngine engine({.max_running = 2});
  Request& request = engine.add(4, 4);
  CHECK_THROWS_AS(engine.scheduler.preempt(request), std::logic_error);  // it does not run yet
  CHECK_THROWS_AS((void)engine.scheduler.add(request), std::logic_error);
  const StepPlan plan = engine.scheduler.plan(kPlenty);
  CHECK_THROWS_AS(engine.scheduler.plan(kPlenty), std::logic_error);     // the first is not committed
  CHECK_THROWS_AS(engine.scheduler.preempt(request), std::logic_error);  // its step is under way
  CHECK_THROWS_AS(engine.scheduler.commit(plan), std::logic_error);      // the logit row has no token
}

}  // namespace
}  // namespace stagecraft
