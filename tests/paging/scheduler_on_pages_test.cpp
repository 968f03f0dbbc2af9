/// @file
/// The real scheduler on a paged store: random steps in which room runs out in the middle of requests, prefixes are
/// found again, and blocks are copied and evicted. Every promise of the scheduler and every invariant of the store holds
/// after each.
#include <iostream>

#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/paging/faulty_stores.h"
#include "tests/sanitized.h"
#include "tests/scheduler/random_run.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

constexpr int kRuns = testing::repetitions(400, 40);
constexpr int kStepsPerRun = 1000;

struct Setup {
  RandomRunOptions run;
  PagedKvShape shape;
};

Setup random_setup(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::initializer_list<int64_t> values) { return *(values.begin() + random() % values.size()); };
  Setup setup;
  setup.shape.block_size = pick({1, 2, 4, 16});
  // The longest there is has 40 + 8 - 1 tokens: in the smaller pool, some are refused.
  setup.shape.blocks = pick({32, 96}) / setup.shape.block_size;
  setup.shape.prefix_cache = pick({0, 1, 1, 1}) == 1;
  setup.run.scheduler.policy = Policy(pick({0, 1, 2}));
  setup.run.scheduler.max_running = int(pick({1, 2, 3, 5, 8}));
  setup.run.scheduler.max_chunk = pick({1, 2, 7, SchedulerOptions::kWholePrompt});
  setup.run.scheduler.max_overtakes = pick({0, 1, 3, 10});
  setup.run.largest_budget = pick({1, 2, 8, 100});
  setup.run.longest = setup.shape.blocks * setup.shape.block_size;
  setup.run.room_runs_out = true;
  setup.run.disjoint_slots = true;
  setup.run.prefix_hits = true;
  setup.run.alike = pick({1, 3, 1000});
  // Each of eight requests can make each other wait for its whole life of 48 steps.
  setup.run.longest_silence = 8 * 48;
  setup.run.longest_draft = pick({0, 1, 4, 8});
  return setup;
}

TEST_CASE("scheduler on pages: no request is lost, none starves, no block leaks", "[paging][property][scheduler]") {
  int64_t steps = 0, completed = 0, preemptions = 0, rejected = 0, accepted = 0;
  SharingCounts sharing;
  for (int i = 0; i < kRuns; ++i) {
    const uint64_t seed = base_seed() * 1'000'003 + uint64_t(i);
    INFO("STAGECRAFT_SEED=" << base_seed() << " run " << i);
    const Setup setup = random_setup(seed);
    PagedKvStore store(setup.shape);
    REQUIRE_NOTHROW([&] {
      RandomRun<PreemptsLatest> run(seed, setup.run, store);
      for (int step = 0; step < kStepsPerRun; ++step) run.step();
      run.drain();
      completed += run.completed();
      preemptions += run.preemptions();
      rejected += run.drafted() - run.accepted();
      accepted += run.accepted();
    }());
    REQUIRE(store.available_blocks() == store.blocks());
    steps += kStepsPerRun;
    sharing.lookups += store.sharing().lookups, sharing.hit_tokens += store.sharing().hit_tokens;
    sharing.copies += store.sharing().copies, sharing.evictions += store.sharing().evictions;
  }
  std::cout << fmt::format(
      "STAGECRAFT_SEED={}: {} steps, {} requests ended, {} preemptions, {} let in, {} tokens hit, {} "
      "blocks copied, {} evicted, {} drafted tokens accepted, {} rejected\n",
      base_seed(), steps, completed, preemptions, sharing.lookups, sharing.hit_tokens, sharing.copies,
      sharing.evictions, accepted, rejected);
  for (const int64_t count :
       {completed, preemptions, sharing.hit_tokens, sharing.copies, sharing.evictions, accepted, rejected}) {
    CHECK(count > steps / 100);
  }
}

constexpr uint64_t kControlSeed = 1;

template <class Store>
std::string verdict() {
  Setup setup = random_setup(0);
  setup.shape = {.blocks = 24, .block_size = 2};
  setup.run.scheduler = {.max_running = 4, .max_chunk = 5};
  setup.run.largest_budget = 8;
  setup.run.longest = 48;
  setup.run.alike = 3;
  setup.run.longest_draft = 3;
  PagedKvStore store(setup.shape);
  Store tested(store);
  try {
    RandomRun<PreemptsLatest> run(kControlSeed, setup.run, tested);
    for (int step = 0; step < 20'000; ++step) run.step();
    run.drain();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("negative control: the scheduler's random run notices broken paged stores",
          "[paging][property][scheduler][control]") {
  CHECK(verdict<StoreAround>() == "");
  CHECK(contains(verdict<Leaks>(), "gives its memory back"));
  CHECK(contains(verdict<HitsTheLastToken>(), "check failed"));
  CHECK(contains(verdict<WritesInPlace>(), "no slot belongs to two requests"));
  CHECK(contains(verdict<IgnoresTruncate>(), "no place any more"));
}

}  // namespace
}  // namespace stagecraft
