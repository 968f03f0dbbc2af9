#include "stages/compare/batch_sweep.h"

#include <fmt/format.h>

#include "stages/compare/prediction.h"
#include "stages/core/same_output.h"

namespace stagecraft {
namespace {

std::vector<int> sizes_up_to(int largest) {
  std::vector<int> sizes;
  for (int size = 1; size < largest; size *= 2) sizes.push_back(size);
  sizes.push_back(largest);
  return sizes;
}

}  // namespace

std::vector<BatchPoint> sweep_batch_sizes(const std::vector<StageEntry>& stages, const EngineLimits& limits,
                                          const RunLog& expected, const std::optional<Roofline>& roofline,
                                          const Options& options, const Session& session,
                                          const InterruptWatch& interrupt) {
  std::vector<Job> jobs = session.jobs;
  for (Job& job : jobs) job.arrival_ns = 0;
  std::vector<BatchPoint> points;
  for (const int size : sizes_up_to(limits.batch)) {
    for (const StageEntry& stage : stages) {
      if (!stage.batches) continue;
      const std::unique_ptr<StageEngine> engine = stage.make({size, limits.token_budget});
      const RunReport report = run_once(stage.info, *engine, jobs, options, session, interrupt);
      check_same_output(expected, "the comparison", report.log, fmt::format("{} at {}", name_of(stage.info), size));
      BatchPoint point{stage.info, size, report.totals.output_tokens_per_s.value_or(0), std::nullopt};
      if (roofline) {
        const RunLog log = retimed(report.log, *roofline);
        point.predicted_tokens_per_s = totals_of(log, {}, 0, {}).output_tokens_per_s;
      }
      points.push_back(point);
    }
  }
  return points;
}

}  // namespace stagecraft
