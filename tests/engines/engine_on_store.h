#pragma once
/// @file
/// Stage 6 with another KV store between the scheduler and the pages: stores that are wrong, or unwilling.
#include "tests/engines/cell_run.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft::testing {

/// Makes the store of a run. It keeps what it stores in the one that it is given.
using MakeStore = std::function<std::unique_ptr<KvStore>(PagedKvStore&)>;

class EngineOnStore final : public StageEngine {
 public:
  EngineOnStore(const Cell& cell, TestModel& on, MakeStore make_store)
      : options_{.paged = paged_options(cell, on.config().kv_bytes_per_token(cell.kv_type)), .length = cell.length},
        make_drafter_(drafter_of(cell)),
        make_store_(std::move(make_store)) {}

  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const override {
    return PagedEngine(options_.paged).kv_slots(jobs, memory);
  }

  RunLog run(const RunInput& input) override {
    PagedKvStore pages(kv_shape(options_.paged, input));
    const std::unique_ptr<KvStore> store = make_store_(pages);
    const std::unique_ptr<Drafter> drafter = make_drafter_(input);
    GuardedDrafter guarded(*drafter, input.model.config().vocabulary);
    EngineRun run(input, *store);
    PreemptsLatest scheduler(options_.paged.scheduler, *store);
    SpeculativeService(run, scheduler, options_.paged.token_budget, pages, guarded, options_.length, options_.verifier)
        .serve_all();
    check(scheduler.idle() && pages.holders() == 0, "nothing is left when all have ended");
    return run.finish();
  }

 private:
  SpeculativeOptions options_;
  MakeDrafter make_drafter_;
  MakeStore make_store_;
};

}  // namespace stagecraft::testing
