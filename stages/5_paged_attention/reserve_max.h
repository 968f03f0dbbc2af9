#pragma once
/// @file
/// The old way beside the new: the same requests and the same K/V memory, but each request reserves the longest length
/// of any, as stage 4 does. What that wastes is what paging gains.
#include <vector>

#include "stages/4_continuous_batching/engine.h"
#include "stages/core/stage_program.h"

namespace stagecraft {

/// Runs the jobs of `session` again on regions that `kv_bytes` have room for, by `clock`, and returns lines that set waste,
/// concurrency and throughput side by side with `paged`. Throws Failure if a token differs.
std::vector<WorkLine> reserve_max_lines(const RunReport& paged, const Session& session, const ContinuousOptions& limits,
                                        int64_t kv_bytes, NumberType kv_type, EngineClock& clock);

}  // namespace stagecraft
