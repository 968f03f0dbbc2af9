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
  LAB_TODO("lab04.t1");
  // <<< LAB lab04.t1/order
}

}  // namespace

Plan plan_step(Batch& batch, int64_t budget, int64_t max_running, const Rules& rules) {
  // >>> LAB lab04.t1/step  about 22 lines   (edit only between the arrows)
  // TODO(lab04.t1): ask the running requests in service_order, then let in waiting ones while there is a place. Each share
  // makes the budget smaller. Keep waiting, running, overtaken, last_served and shares_given up to date.
  LAB_TODO("lab04.t1");
  // <<< LAB lab04.t1/step
}

}  // namespace lab04
