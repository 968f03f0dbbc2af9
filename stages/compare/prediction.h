#pragma once
/// @file
/// The roofline's prediction beside what was measured. The schedule is taken from the log; only its times are replaced:
///
///     a step takes   max( (weights + stored K/V) / bandwidth,  2 x parameters x rows / FLOP rate )
///     it starts      when the step before it has ended, and not before its requests have arrived
///
/// and TTFT, ITL, E2E and throughput follow by the same formulas as for a measured run. What the roofline leaves out
/// (attention's arithmetic, sampling, small steps that cannot use all threads, weights that fit a cache) is the error.
#include <vector>

#include "stages/compare/ladder.h"
#include "stages/core/roofline.h"

namespace stagecraft {

/// `log` with the times that `roofline` predicts for its steps.
RunLog retimed(const RunLog& log, const Roofline& roofline);

struct Prediction {
  Metric metric;
  double measured = 0;  // median over the rounds
  double predicted = 0;

  /// By how much the prediction lies above (+) or below (-) the measured value, in percent of that.
  double error_percent() const { return 100 * (predicted - measured) / measured; }
};

/// For each time and rate of the ladder that `runs` has; nothing for those that were measured as 0.
std::vector<Prediction> predictions_for(const StageRuns& runs, const Roofline& roofline);

}  // namespace stagecraft
