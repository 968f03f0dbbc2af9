/// @file
/// A KV store that says no where a good one would have had room: at any step, or at random. Nobody is lost, and nobody's
/// tokens change. If it has no room for the only request there is, then it breaks its word, and that is no end like any
/// other but an error.
#include "stages/core/random_stream.h"
#include "tests/catch.h"
#include "tests/engines/engine_on_store.h"
#include "tests/engines/step_watch.h"
#include "tests/paging/faulty_stores.h"

namespace stagecraft::testing {
namespace {

/// Whether to refuse the `question`-th wish for more room, with so many requests holding something.
using SaysNo = std::function<bool(int64_t question, int holders)>;

struct RefusingStore : StoreAround {
  RefusingStore(PagedKvStore& store, SaysNo when, int64_t& count)
      : StoreAround(store), says_no(std::move(when)), questions(count) {}
  bool reserve(const Request& request, int64_t upto) override {
    if (upto > inner.reserved(request) && says_no(questions++, inner.holders())) return false;
    return inner.reserve(request, upto);
  }
  SaysNo says_no;
  int64_t& questions;
};

struct RefusedRun {
  RunLog log;
  int64_t questions = 0;
};

RefusedRun run_refused(const Cell& cell, const SaysNo& says_no) {
  TestModel& on = engine_model(cell.model, cell.device);
  RefusedRun run;
  EngineOnStore engine(
      cell, on, [&](PagedKvStore& pages) { return std::make_unique<RefusingStore>(pages, says_no, run.questions); });
  run.log = run_once(cell, on, engine);
  return run;
}

}  // namespace

TEST_CASE("a store that says no once, at any question, or again and again: no request is lost, no token changes",
          "[engines][fault][store]") {
  const Cell cell = busy_cell();
  const RunLog expected = expected_of(cell);
  const RefusedRun never = run_refused(cell, [](int64_t, int) { return false; });
  REQUIRE(difference(expected, never.log) == "");
  REQUIRE(never.questions > 30);
  for (int64_t at = 0; at < never.questions; ++at) {
    INFO("no to question " << at);
    const RefusedRun once =
        run_refused(cell, [&](int64_t question, int holders) { return question == at && holders > 1; });
    REQUIRE(difference(expected, once.log) == "");
  }
  for (uint64_t seed = 0; seed < 20; ++seed) {
    INFO("no to every other question, seed " << seed);
    RandomStream random(seed, 11);
    const RefusedRun often =
        run_refused(cell, [&](int64_t, int holders) { return holders > 1 && random.below(2) == 0; });
    REQUIRE(difference(expected, often.log) == "");
  }
}

TEST_CASE("a store without room for the only request is an error, not a request that is silently lost",
          "[engines][fault][store]") {
  Cell cell = busy_cell();
  cell.jobs.resize(1);
  CHECK_THROWS_AS(run_refused(cell, [](int64_t question, int) { return question > 2; }), std::logic_error);
}

}  // namespace stagecraft::testing
