#pragma once
/// @file
/// A run as a timeline, in Chrome's trace format: open it at https://ui.perfetto.dev. One lane for the engine (forward,
/// then sample and commit), one for each request (queued, first token, decoding; a mark where a chunk was handed out).
///
/// Format: "Trace Event Format", https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "stages/core/run_log.h"

namespace stagecraft {

/// A run and the name that the timeline gives to it.
struct NamedLog {
  std::string name;
  const RunLog& log;
};

/// One process a run. Times are microseconds since the start of its own run, so that several begin side by side.
nlohmann::ordered_json trace_json(const std::vector<NamedLog>& runs);

}  // namespace stagecraft
