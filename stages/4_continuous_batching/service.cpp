/// @file
/// The engine's side of the scheduler: who has come, who is still there.
#include "stages/4_continuous_batching/service.h"

#include <algorithm>

#include "kernels/check.h"

namespace stagecraft {

Service::Service(EngineRun& run, Scheduler& scheduler, int64_t token_budget)
    : run_(run), scheduler_(scheduler), token_budget_(token_budget) {}

void Service::serve_all() {
  for (;;) {
    drop_ended();
    take_arrivals();
    if (step()) continue;
    check(live_.empty(), "whoever is alone has room: else the store broke its word");
    check(held_.empty(), "a sample waits for a request that is served");
    if (next_ == run_.requests().size()) return;
    run_.wait_for(run_.requests()[next_].request());
  }
}

void Service::take_arrivals() {
  while (next_ < run_.requests().size() && run_.has_arrived(run_.requests()[next_].request())) {
    held_.push_back(&run_.requests()[next_++]);
  }
  // Those that were cancelled before they came need not be waited for.
  while (next_ < run_.requests().size() && run_.is_over(run_.requests()[next_])) ++next_;
  const auto waiting = std::stable_partition(held_.begin(), held_.end(), [&](Generation* generation) {
    return run_.is_over(*generation) || may_begin(generation->request());
  });
  for (auto it = held_.begin(); it != waiting; ++it) {
    Request& request = (*it)->request();
    if (request.finished) continue;
    check(!scheduler_.add(request, run_.job(request).priority), "what can never run was refused at the start");
    live_.push_back(*it);
  }
  held_.erase(held_.begin(), waiting);
}

// One of several samples of a prompt waits for the first of them, whose keys and values it will share.
bool Service::may_begin(const Request& request) {
  if (!request.sample_of) return true;
  const Request& first = run_.requests()[size_t(*request.sample_of)].request();
  return first.generated() > 0 || first.finished;
}

// Those that have ended by themselves have left the scheduler at commit; cancel() leaves them alone.
void Service::drop_ended() {
  const auto gone = std::stable_partition(live_.begin(), live_.end(),
                                          [&](Generation* generation) { return !run_.is_over(*generation); });
  std::for_each(gone, live_.end(), [&](Generation* generation) {
    scheduler_.cancel(generation->request());
    has_ended(generation->request());
  });
  live_.erase(gone, live_.end());
}

//! [step]
bool Service::step() {
  before_plan();
  const StepPlan plan = scheduler_.plan(token_budget_);
  if (plan.empty()) return false;
  planned(plan);
  run_.forward(plan);
  run_.deliver(plan, draw(plan));
  scheduler_.commit(plan);
  return true;
}
//! [step]

}  // namespace stagecraft
