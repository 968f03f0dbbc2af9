#pragma once
/// @file
/// Requests, batches, plans and traces as arrays of integers, for the runner and for the checks.
#include "labs/lab04_continuous_batching/include/continuous.h"
#include "labs/support/message.h"

namespace lab04 {

using stagecraft::labs::Message;
using Integers = std::vector<int64_t>;

/// The rules that a call of plan_step can ask for. The first two of each are given, the last is the learner's own.
enum class ShareRule : int64_t { whole_prompt, as_much_as_is_left, chunk_of };
enum class NextRule : int64_t { first_come, last_come, next_waiting };

inline Integers flat(const std::vector<Request>& requests) {
  Integers all;
  for (const Request& r : requests) {
    for (const int64_t value : {r.id, r.prompt, r.known, r.computed, r.last_served, r.overtaken}) all.push_back(value);
  }
  return all;
}

inline std::vector<Request> requests_from(const Integers& all) {
  constexpr size_t kFields = 6;
  std::vector<Request> requests;
  for (size_t i = 0; i + kFields <= all.size(); i += kFields) {
    requests.push_back({all[i], all[i + 1], all[i + 2], all[i + 3], all[i + 4], all[i + 5]});
  }
  return requests;
}

inline Integers flat(const Plan& plan) {
  Integers all;
  for (const Share& share : plan) {
    for (const int64_t value : {share.id, share.first, share.tokens, int64_t(share.logits)}) all.push_back(value);
  }
  return all;
}

inline Plan plan_from(const Integers& all) {
  constexpr size_t kFields = 4;
  Plan plan;
  for (size_t i = 0; i + kFields <= all.size(); i += kFields) {
    plan.push_back({all[i], all[i + 1], all[i + 2], all[i + 3] != 0});
  }
  return plan;
}

inline Message& set_batch(Message& message, const Batch& batch) {
  return message.set("waiting", flat(batch.waiting))
      .set("running", flat(batch.running))
      .set("shares_given", batch.shares_given);
}

inline Batch batch_from(const Message& message) {
  return {requests_from(message.integers("waiting")), requests_from(message.integers("running")),
          message.integer("shares_given")};
}

/// Steps one after the other, each behind the number of its shares.
inline Message& set_trace(Message& message, const Trace& trace) {
  Integers jobs, shares, lengths;
  for (const Job& job : trace.jobs) jobs.insert(jobs.end(), {job.arrival, job.prompt, job.output});
  for (const Plan& step : trace.steps) {
    const Integers plan = flat(step);
    lengths.push_back(int64_t(plan.size()));
    shares.insert(shares.end(), plan.begin(), plan.end());
  }
  return message.set("jobs", jobs)
      .set("shares", shares)
      .set("lengths", lengths)
      .set("budget", trace.budget)
      .set("max_running", trace.max_running);
}

inline Trace trace_from(const Message& message) {
  constexpr size_t kFields = 3;
  Trace trace{{}, message.integer("budget"), message.integer("max_running"), {}};
  const Integers &jobs = message.integers("jobs"), &shares = message.integers("shares");
  for (size_t i = 0; i + kFields <= jobs.size(); i += kFields)
    trace.jobs.push_back({jobs[i], jobs[i + 1], jobs[i + 2]});
  auto begin = shares.begin();
  for (const int64_t length : message.integers("lengths")) {
    trace.steps.push_back(plan_from(Integers(begin, begin + length)));
    begin += length;
  }
  return trace;
}

}  // namespace lab04
