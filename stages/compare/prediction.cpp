#include "stages/compare/prediction.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace stagecraft {
namespace {

TimePoint after(TimePoint time, double seconds) {
  return time + std::chrono::round<Clock::duration>(std::chrono::duration<double>(seconds));
}

double predicted_seconds(const StepRecord& step, const Roofline& roofline) {
  double rows = 0, stored = 0;
  for (const StepPart& part : step.parts) {
    rows += double(part.rows);
    stored += double(part.kv_length);
  }
  return std::max(roofline.memory_seconds(stored), roofline.arithmetic_seconds(rows));
}

/// The steps of `log`, one after the other, each as long as the roofline says.
std::vector<StepRecord> retimed_steps(const RunLog& log, const Roofline& roofline) {
  std::vector<StepRecord> steps = log.steps;
  TimePoint end = log.start;
  for (StepRecord& step : steps) {
    step.start = end;
    for (const StepPart& part : step.parts) {
      step.start = std::max(step.start, log.requests[size_t(part.request)].arrival);
    }
    end = step.forwarded = step.finished = after(step.start, predicted_seconds(step, roofline));
  }
  return steps;
}

}  // namespace

RunLog retimed(const RunLog& log, const Roofline& roofline) {
  RunLog result = log;
  result.steps = retimed_steps(log, roofline);
  result.end = result.steps.empty() ? log.start : result.steps.back().finished;
  // A chunk was handed out in the step that ended just after it; a request was scheduled where its first step began.
  const auto step_of = [&](TimePoint at) {
    const auto found = std::lower_bound(log.steps.begin(), log.steps.end(), at,
                                        [](const StepRecord& step, TimePoint time) { return step.finished < time; });
    return std::min(size_t(found - log.steps.begin()), log.steps.size() - 1);
  };
  for (RequestRecord& request : result.requests) {
    if (request.scheduled && !log.steps.empty()) {
      const auto first = std::lower_bound(log.steps.begin(), log.steps.end(), *request.scheduled,
                                          [](const StepRecord& step, TimePoint time) { return step.start < time; });
      request.scheduled = result.steps[std::min(size_t(first - log.steps.begin()), log.steps.size() - 1)].start;
    }
    for (Chunk& chunk : request.chunks) chunk.at = result.steps[step_of(chunk.at)].finished;
  }
  return result;
}

std::vector<Prediction> predictions_for(const StageRuns& runs, const Roofline& roofline) {
  const RunReport& typical = runs.typical();
  const RunLog log = retimed(typical.log, roofline);
  const Figures predicted{typical.counts, totals_of(log, typical.counts, typical.model.parameters, {}),
                          latency_summary(log.requests)};
  std::vector<Prediction> predictions;
  for (const Metric& metric : ladder_metrics()) {
    if (!metric.timed()) continue;
    const std::optional<Spread> measured = spread_of(metric, runs);
    const std::optional<double> by_roofline = metric.value(predicted);
    if (!measured || measured->median <= 0 || !by_roofline) continue;
    predictions.push_back({metric, measured->median, *by_roofline});
  }
  return predictions;
}

}  // namespace stagecraft
