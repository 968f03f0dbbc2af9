/// @file
/// Counts of paged K/V.
#include "stages/5_paged_attention/work.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/4_continuous_batching/work.h"

namespace stagecraft {
namespace {

template <class Value>
int64_t sum_over(const std::vector<StepRecord>& steps, Value value) {
  int64_t sum = 0;
  for (const StepRecord& step : steps) {
    for (const StepPart& part : step.parts) sum += value(part);
  }
  return sum;
}

int64_t preemptions(const std::vector<RequestRecord>& requests) {
  int64_t sum = 0;
  for (const RequestRecord& request : requests) sum += request.preemptions.value_or(0);
  return sum;
}

size_t most_requests(const std::vector<StepRecord>& steps) {
  size_t most = 0;
  for (const StepRecord& step : steps) most = std::max(most, step.parts.size());
  return most;
}

}  // namespace

int64_t tokens_found(const RunLog& log) {
  return sum_over(log.steps, [](const StepPart& part) { return part.found; });
}

std::vector<WorkLine> paged_work(const RunReport& report) {
  const Counts& counts = report.counts;
  const RunLog& log = report.log;
  const int64_t found = tokens_found(log), needed = tokens_by_law(log.requests);
  const int64_t wrong_guesses = sum_over(log.steps, [](const StepPart& part) { return part.drafted - part.accepted; });
  const int64_t law = needed - found + counts.tokens_recomputed + wrong_guesses;
  check(any_cancelled(log.requests) || counts.tokens_forwarded == law,
        "tokens are forwarded once, but for those found stored, computed again, or guessed wrong");

  std::vector<WorkLine> lines = step_lines(report);
  lines.push_back({"tokens forwarded", with_commas(counts.tokens_forwarded),
                   fmt::format("law: p + n - 1 of each, - found stored + recomputed{} = {}",
                               wrong_guesses > 0 ? " + wrong guesses" : "", with_commas(law))});
  lines.push_back({"found stored", with_commas(found),
                   fmt::format("{} of what had to be there: prefixes that others had computed",
                               percent(double(found), double(needed)))});
  lines.push_back({"preemptions", with_commas(preemptions(log.requests)),
                   fmt::format("{} tokens recomputed, {} of those forwarded", with_commas(counts.tokens_recomputed),
                               percent(double(counts.tokens_recomputed), double(counts.tokens_forwarded)))});
  lines.push_back({"requests at a time", with_commas(int64_t(most_requests(log.steps))), "at most, in one step"});
  lines.push_back({"K/V bytes held, peak", with_commas(counts.kv_bytes_reserved_peak),
                   fmt::format("in blocks; of what is held, {:.1f} % holds no token (mean over steps)",
                               100 * kv_waste(log.steps))});
  return lines;
}

}  // namespace stagecraft
