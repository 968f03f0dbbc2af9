#pragma once
/// @file
/// What other schedules would have made of the same requests, so that what continuous batching costs is seen as well as
/// what it gains. Needs no model: the virtual clock is exact.
///
/// | schedule         | what it shows                                                                   |
/// |------------------|---------------------------------------------------------------------------------|
/// | as it was        | the run, with a chunk at the client for every token                             |
/// | lock step        | stage 3: what continuous batching gains. With equal lengths: nothing            |
/// | whole prompts    | no chunks, no budget: prompts are served sooner, those that write stall longer  |
/// | one at a time    | stage 2: the shortest gaps between tokens, the longest queue                    |
#include <vector>

#include "stages/4_continuous_batching/engine.h"
#include "stages/core/cost_model.h"
#include "stages/core/run_report.h"

namespace stagecraft {

/// A line a schedule: throughput, TTFT and ITL by `cost` of what `jobs` turned out to need in `log`.
std::vector<WorkLine> alternative_schedules(const std::vector<Job>& jobs, const RunLog& log,
                                            const ContinuousOptions& options, const CostModel& cost);

/// The jobs with the lengths that their outputs came to; those that got no token are left out.
Workload workload_of(const std::vector<Job>& jobs, const RunLog& log);

}  // namespace stagecraft
