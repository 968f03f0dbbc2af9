/// @file
/// Arrivals, cancellations, and a step at a time.
#include "stages/4_continuous_batching/engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

/// The engine's side of the scheduler: who has come, who is still there.
class Service {
 public:
  Service(EngineRun& run, Scheduler& scheduler, int64_t token_budget)
      : run_(run), scheduler_(scheduler), token_budget_(token_budget) {}

  void serve_all() {
    for (;;) {
      take_arrivals();
      drop_cancelled();
      if (step()) continue;
      if (next_ == run_.requests().size()) return;
      run_.wait_for(run_.requests()[next_].request());
    }
  }

 private:
  void take_arrivals() {
    for (; next_ < run_.requests().size(); ++next_) {
      Generation& generation = run_.requests()[next_];
      if (run_.is_over(generation)) continue;
      Request& request = generation.request();
      if (!run_.has_arrived(request)) return;
      check(!scheduler_.add(request, run_.job(request).priority), "what can never run was refused at the start");
      live_.push_back(&generation);
    }
  }

  // Those that have ended by themselves have left the scheduler at commit; cancel() leaves them alone.
  void drop_cancelled() {
    const auto gone = std::stable_partition(live_.begin(), live_.end(),
                                            [&](Generation* generation) { return !run_.is_over(*generation); });
    std::for_each(gone, live_.end(), [&](Generation* generation) { scheduler_.cancel(generation->request()); });
    live_.erase(gone, live_.end());
  }

  //! [step]
  bool step() {
    const StepPlan plan = scheduler_.plan(token_budget_);
    if (plan.empty()) return false;
    run_.forward(plan);
    run_.deliver(plan, run_.sample(plan));
    scheduler_.commit(plan);
    return true;
  }
  //! [step]

  EngineRun& run_;
  Scheduler& scheduler_;
  int64_t token_budget_;
  size_t next_ = 0;  // the first that has not arrived
  std::vector<Generation*> live_;
};

}  // namespace

ContinuousEngine::ContinuousEngine(const ContinuousOptions& options) : options_(options) {
  if (options.token_budget < 1) {
    throw BadInput(fmt::format("a budget of {} tokens a step computes nothing", options.token_budget),
                   "1 is the smallest that works");
  }
  // Limits are refused by the one they belong to, and now rather than in the first run.
  SlotKvStore store(kv_shape({}));
  Scheduler(options.scheduler, store);
}

SlotKvShape ContinuousEngine::kv_shape(const std::vector<Job>& jobs) const {
  const int64_t longest = most_stored(jobs);
  return {
      .max_running = int(std::min<size_t>(size_t(options_.scheduler.max_running), std::max<size_t>(jobs.size(), 1))),
      .slots_per_request = std::min(longest, options_.max_length.value_or(longest))};
}

int64_t ContinuousEngine::kv_slots(const std::vector<Job>& jobs) const {
  const SlotKvShape shape = kv_shape(jobs);
  return shape.max_running * shape.slots_per_request;
}

RunLog ContinuousEngine::run(const RunInput& input) {
  SlotKvShape shape = kv_shape(input.jobs);
  shape.bytes_per_token = input.model.config().kv_bytes_per_token(input.pool.type());
  SlotKvStore store(shape);
  EngineRun run(input, store);
  Scheduler scheduler(options_.scheduler, store);
  Service(run, scheduler, options_.token_budget).serve_all();
  return run.finish();
}

}  // namespace stagecraft
