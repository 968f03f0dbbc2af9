#pragma once
/// @file
/// A run over time: the log cut into slices of equal length, and what a dashboard would have shown in each.
#include <optional>
#include <vector>

#include "stages/core/goodput.h"
#include "stages/core/run_log.h"

namespace stagecraft {

/// What happened in one slice of a run, and how things stood in its middle.
struct RunSlice {
  double second = 0;                             // its middle, from the start of the run
  double running = 0, waiting = 0;               // requests
  double prompt_tokens_per_s = 0;                // computed
  double output_tokens_per_s = 0;                // that reached clients
  std::optional<double> itl_p50_ms, itl_p99_ms;  // of chunks that came in it; absent if none did
  double kv_held_mb = 0;                         // handed out by the KV store at the latest step so far
  double rows_per_step = 0;                      // mean over the steps that began in it
  double met_per_s = 0, missed_per_s = 0;        // requests that ended in it, within the targets or not
};

/// `slices` of them; empty if the run took no time. Without `slo` all that ended have met it.
std::vector<RunSlice> run_slices(const RunLog& log, int slices, const std::optional<Slo>& slo);

}  // namespace stagecraft
