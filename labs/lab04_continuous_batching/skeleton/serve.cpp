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
  LAB_TODO("lab04.t3");
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
  LAB_TODO("lab04.t3");
  // <<< LAB lab04.t3/loop
}

}  // namespace lab04
