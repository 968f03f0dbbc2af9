/// @file
/// The scheduler in a million random steps, and nineteen broken ones that the same steps must catch.
#include <cstdlib>
#include <iostream>
#include <unordered_map>

#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/sanitized.h"
#include "tests/scheduler/random_run.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

constexpr int kRuns = testing::repetitions(1000, 100);
constexpr int kStepsPerRun = 1000;

// Another seed: STAGECRAFT_SEED=7 test_scheduler
uint64_t base_seed() {
  const char* const given = std::getenv("STAGECRAFT_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 1;
}

RandomRunOptions random_options(uint64_t seed, bool room_runs_out) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::initializer_list<int64_t> values) { return *(values.begin() + random() % values.size()); };
  RandomRunOptions options;
  options.scheduler.policy = Policy(pick({0, 1, 2}));
  options.scheduler.max_running = int(pick({1, 2, 3, 5, 8}));
  options.scheduler.max_chunk = pick({1, 2, 7, SchedulerOptions::kWholePrompt});
  options.scheduler.max_overtakes = pick({0, 1, 3, 10});
  options.largest_budget = pick({1, 2, 8, 100});
  options.longest = 44;  // the longest there is has 40 + 8 - 1 tokens: some are refused
  options.room_runs_out = room_runs_out;
  options.disjoint_slots = !room_runs_out;
  // Each of eight requests can make each other wait for its whole life of 44 steps.
  options.longest_silence = 8 * 44;
  options.longest_draft = pick({0, 1, 4, 8});
  return options;
}

struct Tally {
  int64_t steps = 0, completed = 0, preemptions = 0, drafted = 0, accepted = 0;
};

template <class SchedulerUnderTest, class Store>
void run_one(uint64_t seed, const RandomRunOptions& options, Store& store, int steps, Tally& tally) {
  RandomRun<SchedulerUnderTest> run(seed, options, store);
  for (int step = 0; step < steps; ++step) run.step();
  run.drain();
  tally.steps += steps;
  tally.completed += run.completed();
  tally.preemptions += run.preemptions();
  tally.drafted += run.drafted();
  tally.accepted += run.accepted();
}

SlotKvStore slot_store(const RandomRunOptions& options) {
  return SlotKvStore({.max_running = options.scheduler.max_running, .slots_per_request = options.longest});
}

TEST_CASE("a million random steps: every promise holds after each", "[scheduler][property]") {
  Tally tally;
  for (int i = 0; i < kRuns; ++i) {
    const uint64_t seed = base_seed() * 1'000'003 + uint64_t(i);
    INFO("STAGECRAFT_SEED=" << base_seed() << " run " << i);
    const bool room_runs_out = i % 2 == 1;
    const RandomRunOptions options = random_options(seed, room_runs_out);
    if (room_runs_out) {
      PooledKvStore store(options.longest);
      REQUIRE_NOTHROW(run_one<PreemptsLatest>(seed, options, store, kStepsPerRun, tally));
    } else {
      SlotKvStore store = slot_store(options);
      REQUIRE_NOTHROW(run_one<Scheduler>(seed, options, store, kStepsPerRun, tally));
    }
  }
  std::cout << fmt::format(
      "STAGECRAFT_SEED={}: {} steps, {} requests ended, {} preemptions, {} tokens drafted, {} accepted\n", base_seed(),
      tally.steps, tally.completed, tally.preemptions, tally.drafted, tally.accepted);
  for (const int64_t count : {tally.completed, tally.preemptions, tally.drafted - tally.accepted, tally.accepted}) {
    CHECK(count > tally.steps / 100);
  }
}

// Mutants: each is a scheduler or a store with one fault of the kind that real engines had.

struct OverspendsBudget : Scheduler {
  using Scheduler::Scheduler;
  StepPlan plan(int64_t budget) { return Scheduler::plan(budget + 1); }
};

SchedulerOptions changed(SchedulerOptions options, void (*change)(SchedulerOptions&)) {
  change(options);
  return options;
}

struct ChunksTooLarge : Scheduler {
  ChunksTooLarge(const SchedulerOptions& options, KvStore& store)
      : Scheduler(changed(options, [](SchedulerOptions& o) { o.max_chunk += 1; }), store) {}
};

struct LetsInTooMany : Scheduler {
  LetsInTooMany(const SchedulerOptions& options, KvStore& store)
      : Scheduler(changed(options, [](SchedulerOptions& o) { o.max_running += 1; }), store) {}
};

struct NeverAges : Scheduler {
  NeverAges(const SchedulerOptions& options, KvStore& store)
      : Scheduler(changed(options, [](SchedulerOptions& o) { o.max_overtakes = 1'000'000; }), store) {}
};

struct LosesGeneratedTokens : Scheduler {
  using Scheduler::Scheduler;
  void preempt(Request& request) {
    request.tokens.resize(size_t(request.prompt_tokens));
    Scheduler::preempt(request);
  }
};

struct KeepsComputedWithoutMemory : Scheduler {
  using Scheduler::Scheduler;
  void preempt(Request& request) {
    const int64_t computed = request.num_computed;
    Scheduler::preempt(request);
    request.num_computed = computed;
  }
};

struct DropsPreempted : Scheduler {
  using Scheduler::Scheduler;
  void preempt(Request& request) {
    Scheduler::cancel(request);
    request.finished.reset();
  }
};

struct ForgetsLogits : Scheduler {
  using Scheduler::Scheduler;
  StepPlan plan(int64_t budget) {
    StepPlan plan = Scheduler::plan(budget);
    for (StepItem& item : plan.items) item.logit_rows = 0;
    return plan;
  }
};

struct ServesOnlyTheFirst : Scheduler {
  using Scheduler::Scheduler;
  StepPlan plan(int64_t) { return Scheduler::plan(1); }
};

struct CountsTooFar : Scheduler {
  using Scheduler::Scheduler;
  void commit(const StepPlan& plan) {
    Scheduler::commit(plan);
    if (plan.items[0].request->pending() > 1) ++plan.items[0].request->num_computed;
  }
};

/// What wrong guesses have cost counts as computed.
struct CountsRejectedDrafts : Scheduler {
  using Scheduler::Scheduler;
  void commit(const StepPlan& plan) {
    Scheduler::commit(plan);
    for (const StepItem& item : plan.items) {
      if (!item.request->finished) item.request->num_computed = item.first + item.tokens;
    }
  }
};

/// Adds a token of a draft where the right scheduler has cut it, if `wants_more`.
struct DraftsMore : PreemptsLatest {
  DraftsMore(const SchedulerOptions& options, KvStore& its_store)
      : PreemptsLatest(options, its_store), store(its_store), max_chunk(options.max_chunk) {}

  StepPlan plan(int64_t budget) {
    std::unordered_map<int, std::vector<TokenId>> drafts;
    for (const Request* request : preemptible()) drafts[request->id] = request->draft;
    StepPlan plan = Scheduler::plan(budget_for(budget));
    for (StepItem& item : plan.items) {
      const std::vector<TokenId>& draft = drafts[item.request->id];
      if (item.logit_rows == 0 || int64_t(draft.size()) <= item.drafted || item.tokens >= max_chunk) continue;
      if (!wants_more(item, budget - plan.tokens())) continue;
      if (!store.reserve(*item.request, item.first + item.tokens + 1)) continue;
      item.request->draft.push_back(draft[size_t(item.drafted)]);
      ++item.drafted, ++item.tokens, ++item.logit_rows;
    }
    return plan;
  }

  static int64_t useful(const Request& request) { return request.max_tokens - request.generated() - 1; }
  virtual int64_t budget_for(int64_t budget) { return budget; }
  virtual bool wants_more(const StepItem& item, int64_t budget_left) = 0;

  KvStore& store;
  int64_t max_chunk;
};

struct DraftsPastTheBudget : DraftsMore {
  using DraftsMore::DraftsMore;
  bool wants_more(const StepItem& item, int64_t left) override {
    return left == 0 && item.drafted < useful(*item.request);
  }
};

struct DraftsPastTheEnd : DraftsMore {
  using DraftsMore::DraftsMore;
  bool wants_more(const StepItem& item, int64_t left) override {
    return left > 0 && item.drafted >= useful(*item.request);
  }
};

/// Keeps a token of the budget for a draft, whoever else could use it.
struct DraftsFirst : DraftsMore {
  using DraftsMore::DraftsMore;
  int64_t budget_for(int64_t budget) override {
    bool all_draft = budget > 1, somebody_writes = false;
    for (const Request* request : preemptible()) {
      if (request->pending() > 1) continue;
      somebody_writes = true;
      all_draft = all_draft && !request->draft.empty() && useful(*request) > 0;
    }
    return somebody_writes && all_draft ? budget - 1 : budget;
  }
  bool wants_more(const StepItem& item, int64_t left) override {
    return left > 0 && item.drafted < useful(*item.request);
  }
};

struct DraftsPreemptOthers : DraftsMore {
  using DraftsMore::DraftsMore;
  bool wants_more(const StepItem& item, int64_t left) override {
    if (left == 0 || item.drafted >= useful(*item.request)) return false;
    const std::vector<Request*> others = preemptible();
    if (!store.reserve(*item.request, item.first + item.tokens + 1) && !others.empty()) preempt(*others.back());
    return true;
  }
};

class KeepsWrongGuesses : public PooledKvStore {
 public:
  using PooledKvStore::PooledKvStore;
  void truncate(const Request&, int64_t) override {}
};

class ForgetfulStore : public PooledKvStore {
 public:
  using PooledKvStore::PooledKvStore;
  void release(const Request& request) override {
    if (request.finished != FinishReason::cancelled) PooledKvStore::release(request);
  }
};

class SameSlotStore : public PooledKvStore {
 public:
  using PooledKvStore::PooledKvStore;
  int64_t slot(const Request&, int64_t) const override { return 0; }
};

// What the run says of a broken scheduler; empty if it noticed nothing.
template <class Mutant, class Store>
std::string verdict(const RandomRunOptions& options, Store store) {
  Tally tally;
  try {
    run_one<Mutant>(base_seed(), options, store, 20'000, tally);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

void expect(const std::string& verdict, const std::string& fault) {
  INFO("verdict: " << verdict);
  CHECK(contains(verdict, fault));
}

RandomRunOptions crowded() {
  RandomRunOptions options;
  options.scheduler = {.policy = Policy::shortest_prompt_first, .max_running = 4, .max_chunk = 5, .max_overtakes = 3};
  options.longest = 44;
  options.largest_budget = 8;
  options.disjoint_slots = true;
  options.longest_silence = 8 * 44;
  return options;
}

RandomRunOptions crowded_pool() {
  RandomRunOptions options = crowded();
  options.disjoint_slots = false;
  options.room_runs_out = true;
  return options;
}

RandomRunOptions with_drafts(RandomRunOptions options) {
  options.longest_draft = 4;
  return options;
}

TEST_CASE("negative control: schedulers that are wrong about drafts are caught, each for its fault",
          "[scheduler][property][control]") {
  const RandomRunOptions options = with_drafts(crowded()), pool = with_drafts(crowded_pool());
  const SlotKvStore slots = slot_store(options);
  SECTION("none is broken") {
    CHECK(verdict<Scheduler>(options, slots) == "");
    CHECK(verdict<PreemptsLatest>(pool, PooledKvStore(44)) == "");
  }
  SECTION("rejected drafts count") { expect(verdict<CountsRejectedDrafts>(options, slots), "does not count"); }
  SECTION("past the budget") { expect(verdict<DraftsPastTheBudget>(options, slots), "within its budget"); }
  SECTION("past the last token") { expect(verdict<DraftsPastTheEnd>(options, slots), "ends before the last token"); }
  SECTION("before others") { expect(verdict<DraftsFirst>(options, slots), "nobody else has a use for"); }
  SECTION("preempting others") { expect(verdict<DraftsPreemptOthers>(pool, PooledKvStore(44)), "nobody's place"); }
  SECTION("no rewind") { expect(verdict<PreemptsLatest>(pool, KeepsWrongGuesses(44)), "no place any more"); }
}

TEST_CASE("negative control: broken schedulers and stores are caught, each for its fault",
          "[scheduler][property][control]") {
  const RandomRunOptions options = crowded();
  const SlotKvStore slots = slot_store(options);
  SECTION("none is broken") {
    CHECK(verdict<Scheduler>(options, slots) == "");
    CHECK(verdict<PreemptsLatest>(crowded_pool(), PooledKvStore(44)) == "");
  }
  SECTION("budget") { expect(verdict<OverspendsBudget>(options, slots), "within its budget"); }
  SECTION("budget unused") { expect(verdict<ServesOnlyTheFirst>(options, slots), "left of the budget"); }
  SECTION("chunk") { expect(verdict<ChunksTooLarge>(options, slots), "at most a chunk"); }
  SECTION("max running") {
    const SlotKvStore more({.max_running = 8, .slots_per_request = 44});
    expect(verdict<LetsInTooMany>(options, more), "no more requests run than may");
  }
  SECTION("starvation") { expect(verdict<NeverAges>(options, slots), "passed too often"); }
  SECTION("lost tokens") { expect(verdict<LosesGeneratedTokens>(options, slots), "no generated token is lost"); }
  SECTION("stale K/V") { expect(verdict<KeepsComputedWithoutMemory>(options, slots), "holds nothing"); }
  SECTION("lost request") { expect(verdict<DropsPreempted>(options, slots), "no request is lost"); }
  SECTION("no logits") { expect(verdict<ForgetsLogits>(options, slots), "logits are wanted at the end"); }
  SECTION("skipped token") { expect(verdict<CountsTooFar>(options, slots), "where the last one ended"); }
  SECTION("leak") { expect(verdict<Scheduler>(crowded_pool(), ForgetfulStore(44)), "gives its memory back"); }
  SECTION("shared slot") { expect(verdict<Scheduler>(options, SameSlotStore(4 * 44)), "belongs to two"); }
  SECTION("deadlock") { expect(verdict<Scheduler>(crowded_pool(), PooledKvStore(44)), "progress"); }
}

}  // namespace
}  // namespace stagecraft
