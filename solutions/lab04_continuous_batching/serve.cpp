/// @file
/// Lab 4, task 3: who is let in, and the loop of continuous batching on a virtual clock. The contract:
/// labs/lab04_continuous_batching/include/continuous.h.
#include <algorithm>

#include "continuous.h"
#include "labs/support/todo.h"

namespace lab04 {

size_t next_waiting(std::span<const Request> waiting, int64_t max_overtakes) {
  // >>> LAB lab04.t3/next  about 6 lines   (edit only between the arrows)
  // TODO(lab04.t3): whoever has been overtaken too often goes first; else the shortest prompt, of equals the earliest.
  const auto overdue = std::find_if(waiting.begin(), waiting.end(),
                                    [&](const Request& request) { return request.overtaken >= max_overtakes; });
  const auto shortest = std::min_element(waiting.begin(), waiting.end(),
                                         [](const Request& a, const Request& b) { return a.prompt < b.prompt; });
  return size_t((overdue != waiting.end() ? overdue : shortest) - waiting.begin());
  // <<< LAB lab04.t3/next
}

std::vector<std::vector<int64_t>> serve(std::span<const Arrival> arrivals, const Limits& limits, const Cost& cost) {
  const Rules rules{
      [&](const Request& request, int64_t left) { return chunk_of(request, left, limits.max_chunk); },
      [&](std::span<const Request> waiting) { return next_waiting(waiting, limits.max_overtakes); },
  };
  // >>> LAB lab04.t3/loop  about 24 lines   (edit only between the arrows)
  // TODO(lab04.t3): until nobody is left: take in who has arrived, plan, let the time of the step pass, hand out what
  // it has drawn, commit, and let those go that have all of their output. Nothing to do: jump to the next arrival.
  std::vector<std::vector<int64_t>> token_ns(arrivals.size());
  Batch batch;
  size_t arrived = 0;
  int64_t now = 0;
  for (;;) {
    for (; arrived < arrivals.size() && arrivals[arrived].at_ns <= now; ++arrived) {
      const int64_t prompt = arrivals[arrived].prompt;
      batch.waiting.push_back({.id = int64_t(arrived), .prompt = prompt, .known = prompt});
    }
    const Plan plan = plan_step(batch, limits.budget, limits.max_running, rules);
    if (plan.empty()) {
      if (arrived == arrivals.size()) return token_ns;
      now = arrivals[arrived].at_ns;
      continue;
    }
    int64_t tokens = 0;
    for (const Share& share : plan) tokens += share.tokens;
    now += cost.step_ns(tokens);
    for (const Share& share : plan) {
      if (share.logits) token_ns[size_t(share.id)].push_back(now);
    }
    commit(batch, plan);
    std::erase_if(batch.running, [&](const Request& request) {
      return request.known - request.prompt == arrivals[size_t(request.id)].output;
    });
  }
  // <<< LAB lab04.t3/loop
}

}  // namespace lab04
