#pragma once
/// @file
/// What stage 4 has to say about its work: how full its steps are, what chunks cost, what the scheduler itself costs.
#include <vector>

#include "stages/core/run_report.h"

namespace stagecraft {

/// How the steps of a run were filled.
struct StepMix {
  int64_t steps = 0;
  int64_t rows = 0, requests = 0;  // summed over steps
  int64_t largest_rows = 0;        // of a step
  int64_t mixed = 0;               // steps in which some wrote while others read their prompt
  int64_t prompt_chunks = 0;       // shares of steps that were prompt
};

StepMix step_mix(const RunLog& log);

/// Time between the end of a step and the start of the next, for what the scheduler and the output take: the median, in
/// microseconds. Waiting for arrivals is in it too, which is why it is not the mean. Nothing for fewer than two steps.
std::optional<double> scheduling_us(const RunLog& log);

/// Tokens that have to be forwarded if nothing is computed twice or found stored: p + n - 1 of each request.
int64_t tokens_by_law(const std::vector<RequestRecord>& requests);

/// Whether any request was cancelled. A prompt that was cancelled half-way has been computed in part, for nothing, so
/// the laws hold only without.
bool any_cancelled(const std::vector<RequestRecord>& requests);

/// Lines on what all stages with a scheduler have in common: passes, chunks, weights, time between steps.
std::vector<WorkLine> step_lines(const RunReport& report);

/// Lines for the tables. A count that differs from its law is a bug: throws std::logic_error.
std::vector<WorkLine> continuous_work(const RunReport& report);

}  // namespace stagecraft
