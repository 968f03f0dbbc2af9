#pragma once
/// @file
/// Batches and workloads in a line, for the reports of failures.
#include <string>

#include <fmt/format.h>

#include "labs/lab04_continuous_batching/runner/wire.h"

namespace lab04 {

/// The first of `list` in words, separated by commas.
template <class List, class Words>
std::string listed(const List& list, Words words) {
  constexpr size_t kShown = 6;
  std::string text;
  for (size_t i = 0; i < list.size() && i < kShown; ++i) text += (i > 0 ? ", " : "") + words(list[i]);
  if (list.size() > kShown) text += fmt::format(", ... ({} in all)", list.size());
  return list.empty() ? "nobody" : text;
}

inline std::string described(const Batch& batch) {
  return fmt::format("running: {}; waiting: {}",
                     listed(batch.running,
                            [](const Request& r) {
                              return fmt::format("{} ({} pending, last served {})", r.id, r.pending(), r.last_served);
                            }),
                     listed(batch.waiting, [](const Request& r) { return fmt::format("{} ({})", r.id, r.pending()); }));
}

inline std::string described(const std::vector<Arrival>& arrivals) {
  return "at ns: prompt + output: " +
         listed(arrivals, [](const Arrival& a) { return fmt::format("{}: {} + {}", a.at_ns, a.prompt, a.output); });
}

inline std::string described(const Trace& trace) {
  return fmt::format("budget {}, {} places, {} steps; arrival: prompt + output: {}", trace.budget, trace.max_running,
                     trace.steps.size(), listed(trace.jobs, [](const Job& job) {
                       return fmt::format("{}: {} + {}", job.arrival, job.prompt, job.output);
                     }));
}

}  // namespace lab04
