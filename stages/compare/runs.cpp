#include "stages/compare/runs.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/progress.h"
#include "stages/core/same_output.h"

namespace stagecraft {

const RunReport& StageRuns::typical() const {
  check(!rounds.empty(), "a stage has been timed");
  std::vector<size_t> order(rounds.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return rounds[a].totals.duration_ms < rounds[b].totals.duration_ms; });
  return rounds[order[(order.size() - 1) / 2]];
}

std::string name_of(const StageInfo& stage) { return fmt::format("stage {} {}", stage.number, stage.name); }

RunReport run_once(const StageInfo& stage, StageEngine& engine, const std::vector<Job>& jobs, const Options& options,
                   const Session& session, const InterruptWatch& interrupt) {
  RunSettings settings{.kv_type = options.kv_type, .end_of_text = session.end_of_text};
  settings.cancelled = [&](const Request&) { return interrupt.requested(); };
  RunLog log = session.run(engine, jobs, settings);
  if (interrupt.requested()) throw Interrupted{};
  return make_report(stage, options, session, std::move(log));
}

std::vector<StageRuns> run_in_turns(const std::vector<Contestant>& contestants, int repeat, const Options& options,
                                    const Session& session, const InterruptWatch& interrupt) {
  check(!contestants.empty(), "somebody takes part");
  std::vector<StageRuns> all;
  for (const Contestant& contestant : contestants) all.push_back({contestant.info, {}});
  ProgressLine progress("running all stages in turn");
  std::optional<RunLog> expected;
  const double runs = double(contestants.size()) * (repeat + 1);
  int done = 0;
  for (int round = 0; round <= repeat; ++round) {
    for (size_t i = 0; i < contestants.size(); ++i) {
      const StageInfo& info = contestants[i].info;
      RunReport report = run_once(info, *contestants[i].engine, session.jobs, options, session, interrupt);
      if (!expected) expected = report.log;
      check_same_output(*expected, name_of(contestants.front().info), report.log, name_of(info));
      if (round > 0) all[i].rounds.push_back(std::move(report));
      progress.update(++done / runs);
    }
  }
  return all;
}

}  // namespace stagecraft
