/// @file
/// A KV store that says no where a good one would have had room: at any step, or at random. Nobody is lost, and nobody's
/// tokens change. If it has no room for the only request there is, then it breaks its word, and that is no end like any
/// other but an error.
#include "stages/core/random_stream.h"
#include "tests/catch.h"
#include "tests/engines/step_watch.h"
#include "tests/paging/faulty_stores.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft::testing {
namespace {

using SaysNo = std::function<bool(int64_t question)>;

struct RefusingStore : StoreAround {
  RefusingStore(PagedKvStore& store, const SaysNo& when) : StoreAround(store), says_no(when) {}
  bool reserve(const Request& request, int64_t upto) override {
    if (upto > inner.reserved(request) && says_no(questions++)) return false;
    return inner.reserve(request, upto);
  }
  const SaysNo& says_no;
  int64_t questions = 0;
};

/// Stage 6 in a store that refuses.
class RefusedEngine final : public StageEngine {
 public:
  RefusedEngine(const Cell& cell, TestModel& on, SaysNo says_no, bool only_among_others)
      : options_{.paged = paged_options(cell, on.config().kv_bytes_per_token(cell.kv_type)), .length = cell.length},
        make_drafter_(drafter_of(cell)),
        says_no_(std::move(says_no)),
        only_among_others_(only_among_others) {}

  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const override {
    return PagedEngine(options_.paged).kv_slots(jobs, memory);
  }
  RunLog run(const RunInput& input) override {
    PagedKvStore pages(kv_shape(options_.paged, input));
    const SaysNo says_no = [&](int64_t question) {
      return (!only_among_others_ || pages.holders() > 1) && says_no_(question);
    };
    RefusingStore store(pages, says_no);
    const std::unique_ptr<Drafter> drafter = make_drafter_(input);
    GuardedDrafter guarded(*drafter, input.model.config().vocabulary);
    EngineRun run(input, store);
    PreemptsLatest scheduler(options_.paged.scheduler, store);
    SpeculativeService(run, scheduler, options_.paged.token_budget, pages, guarded, options_.length, options_.verifier)
        .serve_all();
    questions_ = store.questions;
    check(scheduler.idle() && pages.holders() == 0, "nothing is left when all have ended");
    return run.finish();
  }

  int64_t questions() const { return questions_; }

 private:
  SpeculativeOptions options_;
  MakeDrafter make_drafter_;
  SaysNo says_no_;
  bool only_among_others_;
  int64_t questions_ = 0;
};

}  // namespace

TEST_CASE("a store that says no once, at any question, or again and again: no request is lost, no token changes",
          "[engines][fault][store]") {
  const Cell cell = busy_cell();
  TestModel& on = engine_model(cell.model, cell.device);
  const RunLog expected = expected_of(cell);
  RefusedEngine never(
      cell, on, [](int64_t) { return false; }, true);
  REQUIRE(difference(expected, run_once(cell, on, never)) == "");
  REQUIRE(never.questions() > 30);
  for (int64_t at = 0; at < never.questions(); ++at) {
    INFO("no to question " << at);
    RefusedEngine once(
        cell, on, [&](int64_t question) { return question == at; }, true);
    REQUIRE(difference(expected, run_once(cell, on, once)) == "");
  }
  for (uint64_t seed = 0; seed < 20; ++seed) {
    INFO("no to every other question, seed " << seed);
    RandomStream random(seed, 11);
    RefusedEngine often(
        cell, on, [&](int64_t) { return random.below(2) == 0; }, true);
    REQUIRE(difference(expected, run_once(cell, on, often)) == "");
  }
}

TEST_CASE("a store without room for the only request is an error, not a request that is silently lost",
          "[engines][fault][store]") {
  Cell cell = busy_cell();
  cell.jobs.resize(1);
  TestModel& on = engine_model(cell.model, cell.device);
  RefusedEngine engine(
      cell, on, [](int64_t question) { return question > 2; }, false);
  CHECK_THROWS_AS(run_once(cell, on, engine), std::logic_error);
}

}  // namespace stagecraft::testing
