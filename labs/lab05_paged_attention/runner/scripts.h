#pragma once
/// @file
/// Scripts for what has a state. The runner plays them with the learner's classes inside the engine's; a check may play the
/// same script with the engine's own, and compare.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "stages/5_paged_attention/paged_scheduler.h"

namespace lab05::scripts {

using Numbers = std::vector<int64_t>;

/// What a call gives that was refused, or that found nothing.
inline constexpr int64_t kNothing = -1, kRefused = -2;

/// The operations of scripts: on a pool and its tables, on a prefix cache, on both, on a paged store.
struct Op {
  enum : int64_t { take, share, release, discard, grow, give_back, fork, share_id, release_id, discard_id };
  enum : int64_t { insert, forget, find, match, reuse };
  enum : int64_t { take_after, hold, let_go };
  enum : int64_t { serve, end };
};

/// Serves and ends requests in a paged store, one by one. Operations: (serve, id, count, tokens...) and (end, id). Returns
/// for each the number of tokens that were found (kNothing: no room; 0 for an end); then hits, evictions, copies, and blocks
/// that are available.
inline Numbers play_store(int64_t blocks, int64_t block_size, const Numbers& script) {
  using namespace stagecraft;
  PagedKvStore store({.blocks = blocks, .block_size = block_size});
  std::map<int64_t, Request> requests;
  Numbers trace;
  for (size_t i = 0; i < script.size();) {
    const int64_t op = script[i], id = script[i + 1];
    Request& request = requests[id];
    i += 2;
    if (op == Op::end) {
      store.release(request);
      requests.erase(id);
      trace.push_back(0);
      continue;
    }
    const size_t count = size_t(script[i++]);
    request.id = int(id);
    for (size_t t = 0; t < count; ++t) request.tokens.push_back(TokenId(script[i++]));
    const int64_t found = store.match_prefix(request), length = int64_t(count);
    if (store.reserve(request, length)) {
      (void)store.take_copies();
      store.commit(request, length);
      trace.push_back(found);
    } else {
      store.release(request);
      trace.push_back(kNothing);
    }
  }
  store.check_invariants();
  const SharingCounts& counts = store.sharing();
  trace.insert(trace.end(), {counts.hit_tokens, counts.evictions, counts.copies, store.available_blocks()});
  return trace;
}

/// A load, and the limits under which it is served.
struct Load {
  int64_t blocks, block_size, watermark, budget, prefix_cache, most_steps;
  Numbers arrivals, prompts, outputs;  // of each request: step, tokens, tokens
};

enum Event : int64_t { let_in, preempted, ended };

/// What happened: (step, event, request) of each event, in order of steps; within a step, of events and requests.
struct Served {
  Numbers events;
  int64_t steps = 0, unfinished = 0, recomputed = 0;
  bool stuck = false;  // a step without rows while requests wait
};

/// The loop of continuous batching with made-up tokens: every row that has logits gets the next number.
inline Served play_load(const Load& load) {
  using namespace stagecraft;
  constexpr int64_t kTokensOfARequest = 100000;  // so that no two prompts begin alike
  PagedKvStore store({.blocks = load.blocks, .block_size = load.block_size, .prefix_cache = load.prefix_cache == 1});
  SchedulerOptions options;
  options.max_running = int(load.arrivals.size());
  PagedScheduler scheduler(options, store, load.watermark);
  std::vector<std::unique_ptr<Request>> requests;
  std::vector<int64_t> highest(load.arrivals.size(), 0), preemptions(load.arrivals.size(), 0);
  std::set<int> running;
  Served served;
  for (; served.steps < load.most_steps; ++served.steps) {
    for (size_t i = requests.size(); i < load.arrivals.size() && load.arrivals[i] <= served.steps; ++i) {
      auto request = std::make_unique<Request>();
      request->id = int(i);
      request->prompt_tokens = load.prompts[i];
      request->max_tokens = load.outputs[i];
      for (int64_t t = 0; t < load.prompts[i]; ++t) {
        request->tokens.push_back(TokenId(int64_t(i) * kTokensOfARequest + t));
      }
      (void)scheduler.add(*request);
      requests.push_back(std::move(request));
    }
    if (scheduler.idle() && requests.size() == load.arrivals.size()) break;
    const auto happens = [&](Event event, int64_t id) {
      served.events.insert(served.events.end(), {served.steps, event, id});
    };
    const StepPlan plan = scheduler.plan(load.budget);
    for (const auto& request : requests) {
      if (request->preemptions == preemptions[size_t(request->id)]) continue;
      preemptions[size_t(request->id)] = request->preemptions;
      running.erase(request->id);
      happens(preempted, request->id);
    }
    for (const StepItem& item : plan.items) {
      if (running.insert(item.request->id).second) happens(let_in, item.request->id);
    }
    if (plan.empty() && !scheduler.idle()) {
      served.stuck = true;
      break;
    }
    (void)store.take_copies();
    for (const StepItem& item : plan.items) {
      Request& request = *item.request;
      int64_t& mark = highest[size_t(request.id)];
      served.recomputed += std::max<int64_t>(std::min(mark, item.first + item.tokens) - item.first, 0);
      mark = std::max(mark, item.first + item.tokens);
      if (item.logit_rows == 0) continue;
      request.tokens.push_back(TokenId(int64_t(request.id) * kTokensOfARequest + int64_t(request.tokens.size())));
      if (request.generated() == request.max_tokens) request.finished = FinishReason::length;
    }
    scheduler.commit(plan);
    for (const StepItem& item : plan.items) {
      if (!item.request->finished) continue;
      running.erase(item.request->id);
      happens(ended, item.request->id);
    }
    store.check_invariants();
  }
  served.unfinished = int64_t(load.arrivals.size()) -
                      std::count_if(requests.begin(), requests.end(), [](const auto& r) { return r->finished; });
  return served;
}

}  // namespace lab05::scripts
