/// @file
/// Lab 4, task 1: one step under a token budget. The contract: labs/lab04_continuous_batching/include/continuous.h.
///
/// What a request takes and who is next are rules that come from outside: the same mechanism serves whole prompts and
/// chunks, first come first served and shortest prompt first.
#include <algorithm>

#include "continuous.h"
#include "labs/support/todo.h"

namespace lab04 {
namespace {

/// The running requests in the order in which they are asked.
std::vector<Request*> service_order(std::vector<Request>& running) {
  // >>> LAB lab04.t1/order  about 6 lines   (edit only between the arrows)
  // TODO(lab04.t1): those with one pending token first, by last_served; behind them the others, as they stand.
  std::vector<Request*> order;
  for (Request& request : running) order.push_back(&request);
  const auto larger =
      std::stable_partition(order.begin(), order.end(), [](const Request* r) { return r->pending() == 1; });
  std::sort(order.begin(), larger, [](const Request* a, const Request* b) { return a->last_served < b->last_served; });
  return order;
  // <<< LAB lab04.t1/order
}

}  // namespace

Plan plan_step(Batch& batch, int64_t budget, int64_t max_running, const Rules& rules) {
  // >>> LAB lab04.t1/step  about 22 lines   (edit only between the arrows)
  // TODO(lab04.t1): ask the running requests in service_order, then let in waiting ones while there is a place. Each share
  // makes the budget smaller. Keep waiting, running, overtaken, last_served and shares_given up to date.
  Plan plan;
  const auto serve = [&](Request& request) {
    const Share share = rules.share(request, budget);
    if (share.tokens == 0) return false;
    budget -= share.tokens;
    request.last_served = ++batch.shares_given;
    plan.push_back(share);
    return true;
  };
  bool all_served = true;
  for (Request* request : service_order(batch.running)) {
    if (!serve(*request)) all_served = false;
  }
  while (all_served && !batch.waiting.empty() && int64_t(batch.running.size()) < max_running) {
    const auto next = batch.waiting.begin() + std::ptrdiff_t(rules.next(batch.waiting));
    if (!serve(*next)) break;
    std::for_each(batch.waiting.begin(), next, [](Request& earlier) { ++earlier.overtaken; });
    batch.running.push_back(*next);
    batch.waiting.erase(next);
  }
  return plan;
  // <<< LAB lab04.t1/step
}

}  // namespace lab04
