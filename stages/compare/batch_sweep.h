#pragma once
/// @file
/// Throughput over batch size: the stages that batch, again at 1, 2, 4, ... requests at a time.
#include <optional>
#include <vector>

#include "stages/compare/runs.h"
#include "stages/compare/stage_list.h"
#include "stages/core/roofline.h"

namespace stagecraft {

struct BatchPoint {
  StageInfo stage;
  int batch = 0;
  double tokens_per_s = 0;
  std::optional<double> predicted_tokens_per_s;  // by the roofline, if the machine's limits are known
};

/// One run a size and stage, all requests at the start: a point for each power of two up to `limits.batch`, and for
/// that. Throws Failure if the tokens of a run are not those of `expected`.
std::vector<BatchPoint> sweep_batch_sizes(const std::vector<StageEntry>& stages, const EngineLimits& limits,
                                          const RunLog& expected, const std::optional<Roofline>& roofline,
                                          const Options& options, const Session& session,
                                          const InterruptWatch& interrupt);

}  // namespace stagecraft
