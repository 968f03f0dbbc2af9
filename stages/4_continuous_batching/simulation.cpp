/// @file
/// The loop plan -> forward -> sample -> commit, where forward is a cost model and sampling returns token 0.
#include "stages/4_continuous_batching/simulation.h"

#include <algorithm>
#include <deque>

#include "kernels/check.h"
#include "stages/core/slot_kv_store.h"
#include "stages/core/virtual_clock.h"

namespace stagecraft {
namespace {

SlotKvShape kv_shape(const Workload& workload, const SimulationOptions& options) {
  int64_t longest = 1;
  for (const WorkloadRequest& request : workload.requests) {
    longest = std::max(longest, request.prompt_tokens + request.output_tokens - 1);
  }
  return {.max_running = options.scheduler.max_running, .slots_per_request = options.kv_per_request.value_or(longest)};
}

class Simulation {
 public:
  Simulation(const Workload& workload, const SimulationOptions& options)
      : workload_(workload),
        options_(options),
        store_(kv_shape(workload, options)),
        scheduler_(options.scheduler, store_),
        requests_(workload.requests.size()) {
    result_.log.requests.resize(requests_.size());
    result_.log.start = clock_.now();
  }

  SimulationResult run() {
    while (next_ < requests_.size() || !scheduler_.idle() || !lock_step_queue_.empty()) {
      take_arrivals();
      const bool worked = options_.kind == BatchingKind::continuous ? continuous_step() : lock_step_batch();
      if (worked || next_ == requests_.size()) continue;
      clock_.wait_until(workload_.requests[next_].arrival_ns);
    }
    result_.log.end = clock_.now();
    return std::move(result_);
  }

 private:
  // Everybody who has come by now, in order.
  void take_arrivals() {
    for (; next_ < requests_.size() && workload_.requests[next_].arrival_ns <= clock_.now_ns(); ++next_) {
      const WorkloadRequest& asked = workload_.requests[next_];
      Request& request = requests_[next_];
      request.id = int(next_);
      request.tokens.resize(size_t(asked.prompt_tokens));
      request.prompt_tokens = asked.prompt_tokens;
      request.max_tokens = asked.output_tokens;
      RequestRecord& record = result_.log.requests[next_];
      record.id = request.id;
      record.prompt_tokens = asked.prompt_tokens;
      record.arrival = VirtualClock::at(asked.arrival_ns);
      if (!enqueue(request, asked.priority)) record.finish_reason = FinishReason::refused;
    }
  }

  bool enqueue(Request& request, Priority priority) {
    if (options_.kind == BatchingKind::continuous) return !scheduler_.add(request, priority);
    if (store_.refusal(request.prompt_tokens + request.max_tokens - 1)) return false;
    lock_step_queue_.push_back(&request);
    return true;
  }

  bool continuous_step() {
    const StepPlan plan = scheduler_.plan(options_.step_tokens);
    if (plan.empty()) {
      check(scheduler_.idle(), "the scheduler finds something to do while a request is there");
      return false;
    }
    execute(plan);
    scheduler_.commit(plan);
    return true;
  }

  // One batch, from its first step until its last request ends.
  bool lock_step_batch() {
    const size_t size = std::min(lock_step_queue_.size(), size_t(options_.scheduler.max_running));
    const std::vector<Request*> batch(lock_step_queue_.begin(), lock_step_queue_.begin() + std::ptrdiff_t(size));
    lock_step_queue_.erase(lock_step_queue_.begin(), lock_step_queue_.begin() + std::ptrdiff_t(size));
    for (;;) {
      StepPlan plan;
      for (Request* request : batch) {
        if (!request->finished) plan.items.push_back({request, request->num_computed, request->pending(), 1});
      }
      if (plan.empty()) return size > 0;
      execute(plan);
      for (const StepItem& item : plan.items) item.request->num_computed += item.tokens;
      result_.padded_slots += int64_t(size - plan.items.size());
    }
  }

  // Forward pass and sampling: time passes, then each request whose end was reached has one token more.
  void execute(const StepPlan& plan) {
    StepRecord step;
    step.start = clock_.now();
    for (const StepItem& item : plan.items) {
      step.parts.push_back({item.request->id, item.tokens, 0, item.first + item.tokens});
      RequestRecord& record = record_of(item);
      if (!record.scheduled) record.scheduled = clock_.now();
    }
    clock_.advance(options_.cost.step_ns(step.parts));
    step.forwarded = step.finished = clock_.now();
    result_.log.steps.push_back(std::move(step));
    for (const StepItem& item : plan.items) {
      if (item.logit_rows > 0) deliver_token(item);
    }
  }

  void deliver_token(const StepItem& item) {
    Request& request = *item.request;
    RequestRecord& record = record_of(item);
    request.tokens.push_back(0);
    record.output_ids.push_back(0);
    record.chunks.push_back({clock_.now(), 1});
    if (request.generated() < request.max_tokens) return;
    request.finished = record.finish_reason = FinishReason::length;
  }

  RequestRecord& record_of(const StepItem& item) { return result_.log.requests[size_t(item.request->id)]; }

  const Workload& workload_;
  const SimulationOptions& options_;
  SlotKvStore store_;
  Scheduler scheduler_;
  VirtualClock clock_;
  std::vector<Request> requests_;  // of the workload, in its order; stays in place
  size_t next_ = 0;                // the first that has not arrived
  std::deque<Request*> lock_step_queue_;
  SimulationResult result_;
};

}  // namespace

int64_t SimulationResult::duration_ns() const {
  return VirtualClock::nanoseconds(log.end) - VirtualClock::nanoseconds(log.start);
}

SimulationResult simulate(const Workload& workload, const SimulationOptions& options) {
  validate(workload);
  options.cost.validate();
  return Simulation(workload, options).run();
}

}  // namespace stagecraft
