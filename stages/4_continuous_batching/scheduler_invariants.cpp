/// @file
/// What must hold between any two calls of the scheduler, whatever has happened. Tests check it after every step.
#include <algorithm>

#include "kernels/check.h"
#include "stages/4_continuous_batching/scheduler.h"

namespace stagecraft {

void Scheduler::check_invariants() const {
  check(waiting_.size() + running_.size() == entries_.size(), "a request either waits or runs");
  check(running_.size() <= size_t(options_.max_running), "no more requests run than may");
  check(std::is_sorted(waiting_.begin(), waiting_.end(),
                       [](const Entry* a, const Entry* b) { return a->arrival < b->arrival; }),
        "the queue is in the order of arrival");
  size_t in_step = 0;
  int holders = 0;
  for (const Entry* entry : waiting_) {
    check_entry(*entry);
    check(!entry->running, "a request in the queue does not run");
  }
  for (const Entry* entry : running_) {
    check_entry(*entry);
    check(entry->running, "a request in the batch runs");
    in_step += entry->in_step ? 1 : 0;
    holders += store_.reserved(*entry->request) > 0 ? 1 : 0;
  }
  check(in_step == items_in_step_, "the step under way has the requests that were planned");
  check(holders == store_.holders(), "only running requests hold K/V: nothing has leaked");
  store_.check_invariants();
}

void Scheduler::check_entry(const Entry& entry) const {
  const auto found = entries_.find(entry.request->id);
  check(found != entries_.end() && &found->second == &entry, "a request is known by its id, once");
  check(entry.overtaken <= options_.max_overtakes, "nobody is overtaken more often than promised");

  const Request& request = *entry.request;
  check(!request.finished || entry.in_step, "a finished request has left, or will with its step");
  if (request.finished || entry.in_step) return;  // its counts are in flux until the step is committed
  check(request.pending() > 0, "an unfinished request always has something to compute");
  check(entry.running || request.draft.empty(), "nobody drafts for a request in the queue");
  check(request.generated() >= 0 && request.generated() < request.max_tokens, "it has not generated all it may");
  if (entry.running) {
    check(request.num_computed > 0, "a running request has computed something");
    check(store_.reserved(request) >= request.num_computed, "what is computed has a place");
  } else {
    check(request.num_computed == 0 && store_.reserved(request) == 0, "a waiting request holds nothing");
  }
}

}  // namespace stagecraft
