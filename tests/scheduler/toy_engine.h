#pragma once
/// @file
/// What the scheduler's tests share: a toy that plays the engine (requests, sampling, commit), and a KV store that runs
/// out of room in the middle of a request, as paging will.
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "kernels/check.h"
#include "stages/4_continuous_batching/scheduler.h"
#include "stages/core/slot_kv_store.h"

namespace stagecraft {

/// Message and hint of the BadInput that `call` throws; empty if it throws none.
inline std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const BadInput& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// One pool of slots for all, taken token by token: no addresses, only the question whether there is room.
class PooledKvStore : public KvStore {
 public:
  explicit PooledKvStore(int64_t slots) : slots_(slots) {}

  std::optional<std::string> refusal(int64_t length) const override {
    if (length <= slots_) return std::nullopt;
    return "it is larger than the pool";
  }
  bool reserve(const Request& request, int64_t upto) override {
    const int64_t more = upto - reserved(request);
    if (more > slots_ - taken_) return false;
    if (more > 0) {
      held_[request.id] = upto;
      taken_ += more;
    }
    return true;
  }
  void truncate(const Request& request, int64_t length) override {
    taken_ -= reserved(request) - length;
    held_[request.id] = length;
  }
  void release(const Request& request) override {
    taken_ -= reserved(request);
    held_.erase(request.id);
  }
  int64_t reserved(const Request& request) const override {
    const auto found = held_.find(request.id);
    return found == held_.end() ? 0 : found->second;
  }
  int64_t slot(const Request&, int64_t position) const override { return position; }
  int holders() const override { return int(held_.size()); }
  KvUsage usage() const override { return {taken_, taken_}; }
  void check_invariants() const override {
    int64_t sum = 0;
    for (const auto& [id, held] : held_) sum += held;
    check(sum == taken_ && taken_ <= slots_, "the pool's slots add up");
  }

 private:
  int64_t slots_;
  int64_t taken_ = 0;
  std::unordered_map<int, int64_t> held_;
};

/// What stage 5 will do: whoever was let in last makes room, and nobody does for himself alone.
class PreemptsLatest : public Scheduler {
 public:
  using Scheduler::Scheduler;

 protected:
  bool make_room(const Request&) override {
    const std::vector<Request*> candidates = preemptible();
    if (candidates.size() < 2) return false;
    preempt(*candidates.back());
    return true;
  }
};

/// Requests, a scheduler and a store; sampling returns a token that tells request and position.
template <class SchedulerType>
struct ToyEngineWith {
  static constexpr int64_t kLongest = 1000;

  explicit ToyEngineWith(const SchedulerOptions& options)
      : own_store(SlotKvStore({.max_running = options.max_running, .slots_per_request = kLongest})),
        scheduler(options, *own_store) {}
  ToyEngineWith(const SchedulerOptions& options, KvStore& store) : scheduler(options, store) {}

  /// A new request; the test looks at `refusal` if it expects one.
  Request& add(int64_t prompt, int64_t output, Priority priority = 0) {
    Request& request = requests.emplace_back();
    request.id = int(requests.size()) - 1;
    request.tokens.assign(size_t(prompt), 0);
    request.prompt_tokens = prompt;
    request.max_tokens = output;
    refusal = scheduler.add(request, priority);
    return request;
  }

  static TokenId sampled(const Request& request) { return TokenId(request.id * 1000 + request.generated() + 1); }

  /// Samples and commits what was planned, and checks the books.
  void finish_step(const StepPlan& plan) {
    for (const StepItem& item : plan.items) {
      Request& request = *item.request;
      if (item.logit_rows == 0 || request.finished) continue;
      request.tokens.push_back(sampled(request));
      if (request.generated() == request.max_tokens) request.finished = FinishReason::length;
    }
    if (!plan.empty()) scheduler.commit(plan);
    scheduler.check_invariants();
  }

  StepPlan step(int64_t budget) {
    const StepPlan plan = scheduler.plan(budget);
    scheduler.check_invariants();
    finish_step(plan);
    return plan;
  }

  std::optional<SlotKvStore> own_store;
  SchedulerType scheduler;
  std::deque<Request> requests;  // stays in place
  std::optional<std::string> refusal;
};

using ToyEngine = ToyEngineWith<Scheduler>;

}  // namespace stagecraft
