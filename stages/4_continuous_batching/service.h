#pragma once
/// @file
/// The loop of continuous batching: arrivals, cancellations, and a step at a time. Stages 4, 5 and 6 run this same loop;
/// they differ in the scheduler and the store that they give it, and in what they do around a step's plan.
#include <vector>

#include "stages/4_continuous_batching/scheduler.h"
#include "stages/core/engine_run.h"

namespace stagecraft {

class Service {
 public:
  /// What is referred to must outlive the service. `token_budget` is the most rows of a step.
  Service(EngineRun& run, Scheduler& scheduler, int64_t token_budget);
  virtual ~Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Returns when all requests have ended.
  void serve_all();

 protected:
  /// Before a step is planned: the moment to draft.
  virtual void before_plan() {}
  /// After the plan's rows have been computed: the tokens that count (EngineRun::deliver).
  virtual DrawnTokens draw(const StepPlan& plan) { return run_.sample(plan); }
  /// The plan has been made; its rows are not computed yet.
  virtual void planned(const StepPlan&) {}
  /// `request` has ended, by itself or by cancellation.
  virtual void has_ended(const Request&) {}

  EngineRun& run() { return run_; }
  /// Requests that have arrived and not ended, in the order of arrival.
  const std::vector<Generation*>& live() const { return live_; }

 private:
  void take_arrivals();
  bool may_begin(const Request& request);
  void drop_ended();
  bool step();

  EngineRun& run_;
  Scheduler& scheduler_;
  int64_t token_budget_;
  size_t next_ = 0;                // the first that has not arrived
  std::vector<Generation*> held_;  // samples that wait until their prompt has been computed for another
  std::vector<Generation*> live_;
};

}  // namespace stagecraft
