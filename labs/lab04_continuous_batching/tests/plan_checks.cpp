/// @file
/// Lab 4, tasks 1 and 2: single steps against a model that sorts, whole runs against the stage's Scheduler.
#include <numeric>
#include <tuple>

#include "labs/lab04_continuous_batching/tests/describe.h"
#include "labs/support/check.h"
#include "stages/4_continuous_batching/scheduler.h"
#include "stages/core/slot_kv_store.h"

namespace {

using namespace lab04;
using stagecraft::labs::Check;

/// A call of plan_step with rules that the runner has.
struct Step {
  Batch batch;
  int64_t budget, max_running;
  ShareRule share = ShareRule::as_much_as_is_left;
  NextRule next = NextRule::first_come;
};

struct Planned {
  Plan plan;
  Batch after;
};

/// What the contract says, by sorting.
Planned model(const Step& step) {
  Planned result{{}, step.batch};
  int64_t left = step.budget;
  const auto serve = [&](Request& request) {
    const bool fits = request.pending() <= left;
    const int64_t tokens = fits ? request.pending() : step.share == ShareRule::whole_prompt ? 0 : left;
    if (tokens == 0) return false;
    left -= tokens;
    request.last_served = ++result.after.shares_given;
    result.plan.push_back({request.id, request.computed, tokens, fits});
    return true;
  };
  std::vector<std::tuple<bool, int64_t, size_t>> order;
  for (size_t i = 0; i < step.batch.running.size(); ++i) {
    const Request& request = step.batch.running[i];
    const bool larger = request.pending() > 1;
    order.emplace_back(larger, larger ? 0 : request.last_served, i);
  }
  std::sort(order.begin(), order.end());
  size_t served = 0;
  for (const auto& place : order) served += serve(result.after.running[std::get<2>(place)]);
  std::vector<Request>&waiting = result.after.waiting, &running = result.after.running;
  while (served == order.size() && !waiting.empty() && int64_t(running.size()) < step.max_running) {
    const size_t next = step.next == NextRule::first_come ? 0 : waiting.size() - 1;
    if (!serve(waiting[next])) break;
    for (size_t i = 0; i < next; ++i) ++waiting[i].overtaken;
    running.push_back(waiting[next]);
    waiting.erase(waiting.begin() + std::ptrdiff_t(next));
  }
  return result;
}

int64_t between(Check& check, int64_t low, int64_t high) {
  return low + check.random().below(uint32_t(high - low + 1));
}

/// Different numbers from `first` on in random order.
Integers shuffled(Check& check, int64_t count, int64_t first) {
  Integers numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  for (size_t i = numbers.size(); i > 1; --i)
    std::swap(numbers[i - 1], numbers[size_t(check.random().below(uint32_t(i)))]);
  return numbers;
}

/// `larger` in ten of those that run have more than one pending token.
Batch random_batch(Check& check, int64_t running, int64_t waiting, int64_t larger) {
  constexpr int64_t kFirstId = 100, kMostPending = 40, kOf = 10;
  const Integers ids = shuffled(check, running + waiting, kFirstId), turns = shuffled(check, running, 1);
  Batch batch{{}, {}, running};
  for (int64_t i = 0; i < running + waiting; ++i) {
    Request request;
    request.id = ids[size_t(i)];
    request.prompt = request.known = between(check, 2, kMostPending);
    if (i < running) {
      const bool writes = between(check, 1, kOf) > larger;
      request.known += writes ? between(check, 1, kOf) : 0;
      request.computed = writes ? request.known - 1 : between(check, 0, request.known - 2);
      request.last_served = turns[size_t(i)];
      batch.running.push_back(request);
    } else {
      request.overtaken = between(check, 0, 3);
      batch.waiting.push_back(request);
    }
  }
  return batch;
}

Planned plan_step(Check& check, const Step& step) {
  check.input("budget {}, {} places, {}, {}; {}", step.budget, step.max_running,
              step.share == ShareRule::whole_prompt ? "whole prompts" : "as much as is left",
              step.next == NextRule::first_come ? "first come first" : "last come first", described(step.batch));
  check.step("plan_step(batch, {}, {}, rules)", step.budget, step.max_running);
  Message request("plan_step");
  request.set("budget", step.budget).set("max_running", step.max_running);
  request.set("share_rule", int64_t(step.share)).set("next_rule", int64_t(step.next));
  const Message answer = check.call(set_batch(request, step.batch));
  return {plan_from(answer.integers("plan")), batch_from(answer)};
}

template <class Field, class List>
Integers each(const List& list, Field field) {
  Integers all;
  for (const auto& element : list) all.push_back(int64_t(element.*field));
  return all;
}

void expect_plan(const Check& check, const Plan& expected, const Plan& got) {
  check.expect_equal("ids in the plan", each(expected, &Share::id), each(got, &Share::id));
  check.expect_equal("first", each(expected, &Share::first), each(got, &Share::first));
  check.expect_equal("tokens", each(expected, &Share::tokens), each(got, &Share::tokens));
  check.expect_equal("logits", each(expected, &Share::logits), each(got, &Share::logits));
}

void expect_queue(const Check& check, const std::string& name, const std::vector<Request>& expected,
                  const std::vector<Request>& got) {
  check.expect_equal(name + " ids", each(expected, &Request::id), each(got, &Request::id));
  check.expect_equal(name + " last_served", each(expected, &Request::last_served), each(got, &Request::last_served));
  check.expect_equal(name + " overtaken", each(expected, &Request::overtaken), each(got, &Request::overtaken));
  check.expect_equal(name + " computed", each(expected, &Request::computed), each(got, &Request::computed));
  check.expect_equal(name + " known", each(expected, &Request::known), each(got, &Request::known));
}

void expect_batch(const Check& check, const Batch& expected, const Batch& got) {
  expect_queue(check, "running", expected.running, got.running);
  expect_queue(check, "waiting", expected.waiting, got.waiting);
  check.expect_equal("shares_given", expected.shares_given, got.shares_given);
}

int64_t tokens_of(const Plan& plan) {
  int64_t tokens = 0;
  for (const Share& share : plan) tokens += share.tokens;
  return tokens;
}

int64_t pending_of(const std::vector<Request>& requests) {
  int64_t tokens = 0;
  for (const Request& request : requests) tokens += request.pending();
  return tokens;
}

constexpr int64_t kManyPlaces = 1000;

}  // namespace

LAB_CHECK("lab04.t1.c1") {
  for (const int64_t running : check.sizes({1, 3, 31, 32, 33})) {
    for (const int64_t more : {0, 1, 20, 500}) {
      const Batch batch = random_batch(check, running, 5, 2);
      const int64_t budget = pending_of(batch.running) + more;
      const Plan plan = plan_step(check, {batch, budget, kManyPlaces}).plan;
      check.expect_at_most("tokens of the step", budget, tokens_of(plan));
      check.expect_equal("tokens of the step", std::min(budget, budget - more + pending_of(batch.waiting)),
                         tokens_of(plan));
      const size_t first = std::min(size_t(running), plan.size());
      Integers got = each(Plan(plan.begin(), plan.begin() + std::ptrdiff_t(first)), &Share::id);
      Integers expected = each(batch.running, &Request::id);
      std::sort(got.begin(), got.end());
      std::sort(expected.begin(), expected.end());
      check.expect_equal("ids of those that run, before all others", expected, got);
    }
  }
}

LAB_CHECK("lab04.t1.c2") {
  for (const int64_t running : check.sizes({2, 5, 32, 33})) {
    for (const int64_t larger : {0, 3, 8}) {
      const Batch batch = random_batch(check, running, 0, larger);
      for (const int64_t budget : {int64_t{1}, running / 2 + 1, running, pending_of(batch.running) - 1}) {
        for (const ShareRule share : {ShareRule::as_much_as_is_left, ShareRule::whole_prompt}) {
          const Step step{batch, std::max<int64_t>(budget, 1), kManyPlaces, share};
          const Planned got = plan_step(check, step);
          expect_plan(check, model(step).plan, got.plan);
        }
      }
    }
  }
}

LAB_CHECK("lab04.t1.c3") {
  for (const int64_t waiting : check.sizes({1, 4, 33})) {
    for (const int64_t running : {0, 1, 6}) {
      const Batch batch = random_batch(check, running, waiting, 3);
      for (const int64_t more : {-1, 0, 15, 60, 2000}) {
        const int64_t budget = std::max<int64_t>(pending_of(batch.running) + more, 1);
        for (const int64_t places : {int64_t{1}, running + 2, kManyPlaces}) {
          for (const ShareRule share : {ShareRule::as_much_as_is_left, ShareRule::whole_prompt}) {
            const Step step{batch, budget, places, share, more == 60 ? NextRule::last_come : NextRule::first_come};
            const Planned got = plan_step(check, step);
            expect_plan(check, model(step).plan, got.plan);
          }
        }
      }
    }
  }
}

LAB_CHECK("lab04.t1.c4") {
  for (const int64_t count : check.sizes({1, 4, 33})) {
    for (const NextRule next : {NextRule::first_come, NextRule::last_come}) {
      for (const int64_t budget : {1, 8, 100, 5000}) {
        const Step step{random_batch(check, count, count, 1), budget, count + 3, ShareRule::as_much_as_is_left, next};
        const Planned got = plan_step(check, step);
        expect_batch(check, model(step).after, got.after);
      }
    }
  }
}

namespace {

Share chunk_of(Check& check, const Request& request, int64_t left, int64_t max_chunk) {
  check.input("request {}: {} tokens known, {} computed", request.id, request.known, request.computed);
  check.step("chunk_of(request, left {}, max_chunk {})", left, max_chunk);
  Message call("chunk_of");
  call.set("request", flat(std::vector<Request>{request})).set("left", left).set("max_chunk", max_chunk);
  return plan_from(check.call(call).integers("plan")).at(0);
}

/// A run of the stage's own Scheduler, all requests there from the start, and beside it the same with the learner's code.
class Run {
 public:
  Run(Check& check, const Limits& limits, int64_t requests)
      : check_(check),
        limits_(limits),
        store_({int(limits.max_running), kLongest}),
        scheduler_({stagecraft::Policy::fcfs, int(limits.max_running), limits.max_chunk}, store_),
        requests_(size_t(requests)) {
    for (size_t i = 0; i < requests_.size(); ++i) {
      stagecraft::Request& request = requests_[i];
      request.id = int(i);
      request.prompt_tokens = between(check, 1, kLongest / 2);
      request.tokens.resize(size_t(request.prompt_tokens));
      request.max_tokens = between(check, 1, kMostOutput);
      to_compute_ += request.prompt_tokens + request.max_tokens - 1;
      check.expect(!scheduler_.add(request), "the stage takes every request", "it does not");
      mine_.waiting.push_back({.id = int64_t(i), .prompt = request.prompt_tokens, .known = request.prompt_tokens});
    }
    check.input("{} requests with prompts of 1 to {} and outputs of 1 to {} tokens; budget {}, {} places, chunks of {}",
                requests, kLongest / 2, kMostOutput, limits.budget, limits.max_running, limits.max_chunk);
  }

  std::vector<Plan> of_the_stage() {
    std::vector<Plan> plans;
    for (stagecraft::StepPlan plan = scheduler_.plan(limits_.budget); !plan.empty();
         plan = scheduler_.plan(limits_.budget)) {
      plans.emplace_back();
      for (const stagecraft::StepItem& item : plan.items) {
        stagecraft::Request& request = *item.request;
        plans.back().push_back({request.id, item.first, item.tokens, item.logit_rows > 0});
        if (item.logit_rows == 0) continue;
        request.tokens.push_back(0);
        if (request.generated() == request.max_tokens) request.finished = stagecraft::FinishReason::length;
      }
      scheduler_.commit(plan);
    }
    return plans;
  }

  /// At most `most` steps.
  std::vector<Plan> of_the_learner(size_t most) {
    std::vector<Plan> plans;
    while (!(mine_.waiting.empty() && mine_.running.empty()) && plans.size() < most) {
      check_.step("step {}: plan_step, commit", plans.size());
      Message call("plan_step");
      call.set("budget", limits_.budget).set("max_running", limits_.max_running);
      call.set("share_rule", int64_t(ShareRule::chunk_of)).set("max_chunk", limits_.max_chunk);
      const Message answer = check_.call(set_batch(call.set("next_rule", int64_t(NextRule::first_come)), mine_));
      plans.push_back(plan_from(answer.integers("plan")));
      Message commit("commit");
      commit.set("plan", answer.integers("plan"));
      mine_ = batch_from(check_.call(set_batch(commit, batch_from(answer))));
      mine_.running.erase(
          std::remove_if(mine_.running.begin(), mine_.running.end(),
                         [&](const Request& r) { return r.known - r.prompt >= requests_.at(size_t(r.id)).max_tokens; }),
          mine_.running.end());
    }
    return plans;
  }

  int64_t to_compute() const { return to_compute_; }

 private:
  static constexpr int64_t kLongest = 100, kMostOutput = 12;

  Check& check_;
  Limits limits_;
  stagecraft::SlotKvStore store_;
  stagecraft::Scheduler scheduler_;
  std::vector<stagecraft::Request> requests_;
  Batch mine_;
  int64_t to_compute_ = 0;
};

}  // namespace

LAB_CHECK("lab04.t2.c1") {
  for (const int64_t pending : check.sizes({1, 2, 31, 32, 33, 127, 128, 129})) {
    for (const int64_t left : {0, 1, 32, 64, 1000}) {
      for (const int64_t max_chunk : {1, 32, 100, 1000}) {
        const int64_t computed = between(check, 0, 50);
        const Share share = chunk_of(check, {7, computed + 1, computed + pending, computed}, left, max_chunk);
        check.expect_equal("tokens", std::min({pending, left, max_chunk}), share.tokens);
        if (share.tokens == 0) continue;
        check.expect_equal("first", computed, share.first);
        check.expect_equal("id", 7, share.id);
      }
    }
  }
}

LAB_CHECK("lab04.t2.c2") {
  for (const int64_t pending : check.sizes({1, 2, 32, 33, 129})) {
    for (const int64_t left : {pending - 1, pending, pending + 1}) {
      for (const int64_t max_chunk : {pending - 1, pending, pending + 1}) {
        if (max_chunk < 1 || left < 1) continue;
        const int64_t computed = between(check, 0, 50);
        const Share share = chunk_of(check, {7, computed + pending, computed + pending, computed}, left, max_chunk);
        check.expect_equal("logits", int64_t(pending <= std::min(left, max_chunk)), int64_t(share.logits));
      }
    }
  }
}

LAB_CHECK("lab04.t2.c3") {
  for (const int64_t running : check.sizes({1, 4, 33})) {
    const Batch batch = random_batch(check, running, 3, 5);
    const Plan plan = model({batch, std::max<int64_t>(pending_of(batch.running) * 2 / 3, 1), kManyPlaces}).plan;
    Batch expected = batch;
    for (Request& request : expected.running) {
      const auto share = std::find_if(plan.begin(), plan.end(), [&](const Share& s) { return s.id == request.id; });
      if (share == plan.end()) continue;
      request.computed = share->first + share->tokens;
      request.known += share->logits ? 1 : 0;
    }
    check.input("{}; shares: {}", described(batch), listed(plan, [](const Share& share) {
                  return fmt::format("{} ({} tokens{})", share.id, share.tokens, share.logits ? ", logits" : "");
                }));
    check.step("commit(batch, plan)");
    Message commit("commit");
    commit.set("plan", flat(plan));
    expect_batch(check, expected, batch_from(check.call(set_batch(commit, batch))));
  }
}

LAB_CHECK("lab04.t2.c4") {
  constexpr int64_t kRequests = 9;
  for (const Limits& limits : {Limits{16, 4, 16}, Limits{33, 3, 10}, Limits{1, 2, 8}, Limits{128, 16, 1000}}) {
    Run run(check, limits, kRequests);
    const std::vector<Plan> expected = run.of_the_stage();
    const std::vector<Plan> got = run.of_the_learner(2 * expected.size());
    int64_t computed = 0;
    for (const Plan& plan : got) computed += tokens_of(plan);
    check.expect_at_most("steps", int64_t(expected.size()), int64_t(got.size()));
    check.expect_equal("tokens computed in all", run.to_compute(), computed);
    for (size_t step = 0; step < std::min(expected.size(), got.size()); ++step) {
      check.step("step {} of the stage's Scheduler has the same shares", step);
      expect_plan(check, expected[step], got[step]);
    }
  }
}
