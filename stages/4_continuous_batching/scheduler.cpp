/// @file
/// The scheduler's verbs, and the order in which requests are served. Its invariants: scheduler_invariants.cpp.
#include "stages/4_continuous_batching/scheduler.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {

Scheduler::Scheduler(const SchedulerOptions& options, KvStore& store) : options_(options), store_(store) {
  if (options.max_running < 1) {
    throw BadInput(fmt::format("max running requests is {}, which leaves nobody to serve", options.max_running),
                   "1 is the smallest that works");
  }
  if (options.max_chunk < 1) {
    throw BadInput(fmt::format("a chunk of {} tokens never gets through a prompt", options.max_chunk),
                   "1 is the smallest that works");
  }
  if (options.max_overtakes < 0) {
    throw BadInput(fmt::format("a request cannot be overtaken {} times", options.max_overtakes),
                   "0 serves in the order of arrival");
  }
}

std::optional<std::string> Scheduler::add(Request& request, Priority priority) {
  check(!request.finished, "a finished request is not scheduled again");
  check(request.num_computed == 0, "a new request has nothing computed yet");
  std::optional<std::string> reason;
  if (request.tokens.empty()) {
    reason = "its prompt is empty";
  } else if (request.max_tokens < 1) {
    reason = fmt::format("it asks for {} tokens", request.max_tokens);
  } else {
    reason = store_.refusal(request.prompt_tokens + request.max_tokens - 1);  // the last token is never stored
  }
  if (reason) {
    request.finished = FinishReason::refused;
    return reason;
  }
  const auto [place, is_new] = entries_.try_emplace(request.id);
  check(is_new, "no two requests have the same id");
  place->second = {.request = &request, .priority = priority, .arrival = arrivals_++};
  waiting_.push_back(&place->second);
  return std::nullopt;
}

StepPlan Scheduler::plan(int64_t budget) {
  if (budget < 1) {
    throw BadInput(fmt::format("a budget of {} tokens a step computes nothing", budget),
                   "1 is the smallest that works");
  }
  check(items_in_step_ == 0, "a step is committed before the next one is planned");
  StepPlan plan;
  const size_t running_before = running_.size();
  for (Entry* entry : service_order()) {
    if (budget == 0) break;
    if (!entry->running) continue;  // it has just been preempted
    if (schedule(*entry, budget, plan)) budget -= plan.items.back().tokens;
  }
  // Whoever was preempted must not take its memory back in the same step.
  if (running_.size() == running_before) budget = admit_waiting(budget, plan);
  add_drafts(budget, plan);
  items_in_step_ = plan.items.size();
  return plan;
}

void Scheduler::commit(const StepPlan& plan) {
  check(plan.items.size() == items_in_step_, "what is committed is the step that was planned");
  items_in_step_ = 0;
  for (const StepItem& item : plan.items) {
    Entry& entry = entry_of(*item.request);
    check(entry.in_step, "a request takes part in a step once");
    entry.in_step = false;
    Request& request = *item.request;
    // The last token drawn is never stored; those before it are, as prompt or as a guess that was right.
    request.num_computed = std::min(item.first + item.tokens, int64_t(request.tokens.size()) - 1);
    request.draft.clear();
    if (item.drafted > 0) store_.truncate(request, request.num_computed);
    store_.commit(request, request.num_computed);
    if (request.finished) {
      leave(entry);
    } else {
      const int64_t known = item.first + item.tokens - item.drafted;
      check(item.logit_rows == 0 || int64_t(request.tokens.size()) > known, "a row that had logits has got its token");
    }
  }
}

void Scheduler::cancel(Request& request) {
  const auto found = entries_.find(request.id);
  if (found == entries_.end()) return;
  if (!request.finished) request.finished = FinishReason::cancelled;
  if (!found->second.in_step) leave(found->second);
}

void Scheduler::preempt(Request& request) {
  Entry& entry = entry_of(request);
  check(entry.running && !entry.in_step, "only a running request outside the step can be preempted");
  store_.release(request);
  request.num_computed = 0;
  request.draft.clear();
  ++request.preemptions;
  leave_queue(entry);
  entry.running = false;
  const auto later = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const Entry* other) { return other->arrival > entry.arrival; });
  waiting_.insert(later, &entry);
}

bool Scheduler::lets_in(const Request&) { return true; }

bool Scheduler::make_room(const Request&) { return false; }

std::vector<Request*> Scheduler::preemptible() const {
  std::vector<Request*> found;
  for (const Entry* entry : running_) {
    if (!entry->in_step) found.push_back(entry->request);
  }
  return found;
}

// Single rows first, in turn; then larger ones, oldest first.
std::vector<Scheduler::Entry*> Scheduler::service_order() {
  std::vector<Entry*> order = running_;
  const auto larger =
      std::stable_partition(order.begin(), order.end(), [](const Entry* e) { return e->request->pending() == 1; });
  std::sort(order.begin(), larger, [](const Entry* a, const Entry* b) { return a->last_served < b->last_served; });
  return order;
}

// Adds to `plan` what fits of the pending tokens; false if there is no room for them.
bool Scheduler::schedule(Entry& entry, int64_t budget, StepPlan& plan) {
  Request& request = *entry.request;
  const int64_t tokens = std::min({request.pending(), options_.max_chunk, budget});
  if (!reserve_room(entry, request.num_computed + tokens)) return false;
  const bool reaches_end = tokens == request.pending();
  plan.items.push_back({&request, request.num_computed, tokens, reaches_end ? 1 : 0});
  entry.in_step = true;
  entry.last_served = ++shares_given_;
  return true;
}

bool Scheduler::reserve_room(Entry& entry, int64_t upto) {
  while (!store_.reserve(*entry.request, upto)) {
    // A newcomer takes no room from others, and a request may have been chosen to make room itself.
    if (!entry.running || !make_room(*entry.request) || !entry.running) return false;
  }
  return true;
}

// Returns what is left of the budget.
int64_t Scheduler::admit_waiting(int64_t budget, StepPlan& plan) {
  while (budget > 0 && !waiting_.empty() && running_.size() < size_t(options_.max_running)) {
    Entry& next = next_waiting();
    if (!admit(next, budget, plan)) break;
    budget -= plan.items.back().tokens;
    leave_queue(next);
    for (Entry* other : waiting_) {
      if (other->arrival > next.arrival) break;
      ++other->overtaken;
    }
    next.running = true;
    running_.push_back(&next);
  }
  return budget;
}

// What is stored already of its tokens is taken over first; if it does not fit after all, it is given back.
bool Scheduler::admit(Entry& entry, int64_t budget, StepPlan& plan) {
  Request& request = *entry.request;
  request.num_computed = store_.match_prefix(request);
  if ((running_.empty() || lets_in(request)) && schedule(entry, budget, plan)) {
    request.prefix_hit_tokens += request.num_computed;
    return true;
  }
  store_.release(request);
  request.num_computed = 0;
  return false;
}

void Scheduler::add_drafts(int64_t budget, StepPlan& plan) {
  for (StepItem& item : plan.items) {
    Request& request = *item.request;
    const int64_t useful = request.max_tokens - request.generated() - 1;  // the step draws one more than the draft has
    int64_t drafted = std::min({int64_t(request.draft.size()), useful, options_.max_chunk - item.tokens, budget});
    if (item.logit_rows == 0) drafted = 0;
    while (drafted > 0 && !store_.reserve(request, item.first + item.tokens + drafted)) --drafted;
    request.draft.resize(size_t(std::max<int64_t>(drafted, 0)));
    item.drafted = int64_t(request.draft.size());
    item.tokens += item.drafted;
    item.logit_rows += item.drafted;
    budget -= item.drafted;
  }
}

// The oldest of those that have been overtaken too often, else the policy's choice.
Scheduler::Entry& Scheduler::next_waiting() const {
  const auto overdue = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const Entry* entry) { return entry->overtaken >= options_.max_overtakes; });
  if (overdue != waiting_.end()) return **overdue;
  return **std::min_element(waiting_.begin(), waiting_.end(),
                            [&](const Entry* a, const Entry* b) { return goes_before(*a, *b); });
}

// Equals keep the order of arrival: min_element returns the first of them.
bool Scheduler::goes_before(const Entry& a, const Entry& b) const {
  switch (options_.policy) {
    case Policy::fcfs:
      return false;
    case Policy::shortest_prompt_first:
      return a.request->prompt_tokens < b.request->prompt_tokens;
    case Policy::priority:
      return a.priority < b.priority;
  }
  return false;
}

void Scheduler::leave_queue(Entry& entry) {
  std::vector<Entry*>& queue = entry.running ? running_ : waiting_;
  queue.erase(std::find(queue.begin(), queue.end(), &entry));
}

void Scheduler::leave(Entry& entry) {
  store_.release(*entry.request);
  leave_queue(entry);
  entries_.erase(entry.request->id);
}

Scheduler::Entry& Scheduler::entry_of(const Request& request) {
  const auto found = entries_.find(request.id);
  check(found != entries_.end() && found->second.request == &request, "the scheduler knows the request");
  return found->second;
}

}  // namespace stagecraft
