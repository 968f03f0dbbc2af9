#pragma once
/// @file
/// What the six programs do around their engine: open a session, serve, report. A program adds its engine, its clock if
/// that is not the one on the wall, and what it has to say about the work.
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "stages/core/metrics_options.h"
#include "stages/core/session.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

struct StageProgram {
  StageInfo info;
  StageEngine& engine;

  /// Lines for the report's second table. It may run the engine again on the session.
  std::function<std::vector<WorkLine>(const RunReport&, const Session&)> work;
  /// The clock to serve by.
  std::function<std::unique_ptr<EngineClock>(const Session&)> clock = [](const Session&) {
    return std::make_unique<WallClock>();
  };
  /// What is written while it runs, and the targets of goodput.
  WatchSettings watch = {};
  /// The most tokens of a prompt in one pass, for --logits.
  int64_t prompt_chunk = std::numeric_limits<int64_t>::max();
};

/// Serves what is asked and reports it. Returns the exit code: kExitBadInput if a request was refused, though the
/// others were served.
int serve_and_report(const StageProgram& program, const Options& options, const Asked& asked);

}  // namespace stagecraft
