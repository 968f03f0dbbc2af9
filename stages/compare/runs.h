#pragma once
/// @file
/// All stages on the same requests, in turns:
///
///     round 0   1 2 3 4     warms up, and its tokens are compared: nothing is timed before all stages agree
///     round 1   1 2 3 4
///     round 2   1 2 3 4     a disturbance of the machine hits all stages alike
///     round 3   1 2 3 4
#include <memory>
#include <vector>

#include "stages/core/session.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

/// A stage that takes part.
struct Contestant {
  StageInfo info;
  std::unique_ptr<StageEngine> engine;
};

/// What one stage did.
struct StageRuns {
  StageInfo info;
  std::vector<RunReport> rounds;  // (repetitions), timed

  /// The round of median duration: its counts and its timeline are shown.
  const RunReport& typical() const;
};

/// "stage 3 batching".
std::string name_of(const StageInfo& stage);

/// One run of `engine` over `jobs`, on the clock on the wall, with its text going nowhere.
RunReport run_once(const StageInfo& stage, StageEngine& engine, const std::vector<Job>& jobs, const Options& options,
                   const Session& session, const InterruptWatch& interrupt);

/// `repeat` timed rounds after round 0. Throws Failure if a run's tokens differ from those of the first contestant's
/// first run, and Interrupted if a signal comes.
std::vector<StageRuns> run_in_turns(const std::vector<Contestant>& contestants, int repeat, const Options& options,
                                    const Session& session, const InterruptWatch& interrupt);

}  // namespace stagecraft
