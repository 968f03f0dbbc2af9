/// @file
/// Who is let in next, and the promise that nobody waits forever.
#include "stages/4_continuous_batching/policy.h"

#include "tests/catch.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

// Serves everybody one at a time and returns the ids in the order in which they were let in.
std::vector<int> admission_order(ToyEngine& engine) {
  std::vector<int> order;
  while (!engine.scheduler.idle()) {
    const StepPlan plan = engine.step(/*budget=*/1000);
    for (const StepItem& item : plan.items) {
      if (item.first == 0) order.push_back(item.request->id);
    }
  }
  return order;
}

TEST_CASE("fcfs lets in by arrival, whatever the lengths", "[scheduler][policy]") {
  ToyEngine engine({.policy = Policy::fcfs, .max_running = 1});
  engine.add(9, 2), engine.add(2, 2), engine.add(5, 2);
  CHECK(admission_order(engine) == std::vector<int>{0, 1, 2});
}

TEST_CASE("shortest-prompt-first lets in by prompt length, equals by arrival", "[scheduler][policy]") {
  ToyEngine engine({.policy = Policy::shortest_prompt_first, .max_running = 1});
  engine.add(9, 2), engine.add(5, 2), engine.add(2, 2), engine.add(5, 2);
  CHECK(admission_order(engine) == std::vector<int>{2, 1, 3, 0});
}

TEST_CASE("priority lets in the smallest number first, equals by arrival", "[scheduler][policy]") {
  ToyEngine engine({.policy = Policy::priority, .max_running = 1});
  engine.add(3, 1, 5), engine.add(3, 1, -1), engine.add(3, 1, 5), engine.add(3, 1, 0);
  CHECK(admission_order(engine) == std::vector<int>{1, 3, 0, 2});
}

TEST_CASE("starvation: a long prompt is let in after exactly max_overtakes shorter ones, though they never stop coming",
          "[scheduler][policy][fairness]") {
  constexpr int kOvertakes = 3;
  ToyEngine engine({.policy = Policy::shortest_prompt_first, .max_running = 1, .max_overtakes = kOvertakes});
  Request& victim = engine.add(50, 1);
  int let_in_before = 0;
  for (int step = 0; step < 100 && !victim.finished; ++step) {
    engine.add(1, 1);  // a better candidate at every step
    for (const StepItem& item : engine.step(1000).items) let_in_before += item.request == &victim ? 0 : 1;
  }
  CHECK(victim.finished);
  CHECK(let_in_before == kOvertakes);
}

TEST_CASE("negative control: without the bound the same long prompt starves",
          "[scheduler][policy][fairness][control]") {
  ToyEngine engine({.policy = Policy::shortest_prompt_first, .max_running = 1, .max_overtakes = 1'000'000});
  Request& victim = engine.add(50, 1);
  for (int step = 0; step < 100; ++step) {
    engine.add(1, 1);
    engine.step(1000);
  }
  CHECK_FALSE(victim.finished);
  CHECK(victim.num_computed == 0);
}

TEST_CASE("starvation: the lowest priority is served in the face of endless urgent requests",
          "[scheduler][policy][fairness]") {
  ToyEngine engine({.policy = Policy::priority, .max_running = 2, .max_overtakes = 5});
  Request& low = engine.add(4, 1, /*priority=*/100);
  for (int step = 0; step < 50 && !low.finished; ++step) {
    engine.add(4, 1, 0), engine.add(4, 1, 0), engine.add(4, 1, 0);
    engine.step(1000);
  }
  CHECK(low.finished);
}

TEST_CASE("max_overtakes 0 turns every policy into fcfs", "[scheduler][policy][fairness]") {
  const Policy policy = GENERATE(Policy::shortest_prompt_first, Policy::priority);
  ToyEngine engine({.policy = policy, .max_running = 1, .max_overtakes = 0});
  engine.add(9, 1, 3), engine.add(2, 1, 1), engine.add(5, 1, 2);
  CHECK(admission_order(engine) == std::vector<int>{0, 1, 2});
}

TEST_CASE("a large request is not passed by smaller ones while it waits for room", "[scheduler][policy][fairness]") {
  PooledKvStore store(/*slots=*/20);
  ToyEngine engine({.policy = Policy::fcfs, .max_running = 10}, store);
  engine.add(12, 3);
  engine.step(1000);
  Request& large = engine.add(15, 1);  // 12 + 15 > 20: waits for the first
  Request& small = engine.add(2, 1);   // would fit at once
  engine.step(1000);
  CHECK(large.num_computed == 0);
  CHECK(small.num_computed == 0);
  while (!engine.scheduler.idle()) engine.step(1000);
  CHECK(large.finished == FinishReason::length);
  CHECK(small.finished == FinishReason::length);
}

TEST_CASE("policies have names, and an unknown name lists them", "[scheduler][policy]") {
  for (const Policy policy : {Policy::fcfs, Policy::shortest_prompt_first, Policy::priority}) {
    CHECK(policy_from(name_of(policy)) == policy);
  }
  CHECK(contains(complaint_of([] { policy_from("random"); }), "no scheduling policy 'random' | the policies are fcfs"));
  CHECK_THROWS_AS(policy_from(""), BadInput);
}

}  // namespace
}  // namespace stagecraft
