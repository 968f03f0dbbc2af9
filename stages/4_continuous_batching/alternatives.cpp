/// @file
/// Simulations of the same workload, side by side.
#include "stages/4_continuous_batching/alternatives.h"

#include <utility>

#include <fmt/format.h>

#include "stages/4_continuous_batching/simulation.h"

namespace stagecraft {
namespace {

WorkLine line_of(std::string name, const RunLog& log) {
  const LatencySummary latency = latency_summary(log.requests);
  const Totals totals = totals_of(log, {}, 0, {});
  std::string remark = fmt::format("virtual; {:.1f} ms in all", totals.duration_ms);
  if (latency.ttft) remark += fmt::format("; TTFT p50 {:.2f}, p99 {:.2f}", latency.ttft->p50, latency.ttft->p99);
  if (latency.itl) remark += fmt::format("; ITL p50 {:.2f}, p99 {:.2f} ms", latency.itl->p50, latency.itl->p99);
  return {std::move(name), fmt::format("{:.1f} tok/s", totals.output_tokens_per_s.value_or(0)), remark};
}

}  // namespace

Workload workload_of(const std::vector<Job>& jobs, const RunLog& log) {
  Workload workload{"the run", {}};
  for (const Job& job : jobs) {
    const int64_t output_tokens = int64_t(log.requests[size_t(job.request.id)].output_ids.size());
    if (output_tokens == 0) continue;
    workload.requests.push_back({.arrival_ns = job.arrival_ns,
                                 .prompt_tokens = job.request.prompt_tokens,
                                 .output_tokens = output_tokens,
                                 .priority = job.priority});
  }
  return workload;
}

std::vector<WorkLine> alternative_schedules(const std::vector<Job>& jobs, const RunLog& log,
                                            const ContinuousOptions& options, const CostModel& cost) {
  const Workload workload = workload_of(jobs, log);
  if (workload.requests.empty()) return {};
  const SimulationOptions as_it_was{.cost = cost, .scheduler = options.scheduler, .step_tokens = options.token_budget};
  SimulationOptions lock_step{.kind = BatchingKind::lock_step, .cost = cost, .scheduler = options.scheduler};
  SimulationOptions whole_prompts{.cost = cost, .scheduler = options.scheduler};
  whole_prompts.scheduler.max_chunk = SchedulerOptions::kWholePrompt;
  SimulationOptions one_at_a_time = whole_prompts;
  one_at_a_time.scheduler.max_running = 1;
  return {
      line_of("as it was", simulate(workload, as_it_was).log),
      line_of("lock step", simulate(workload, lock_step).log),
      line_of("whole prompts", simulate(workload, whole_prompts).log),
      line_of("one at a time", simulate(workload, one_at_a_time).log),
  };
}

}  // namespace stagecraft
