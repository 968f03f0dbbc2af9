#pragma once
/// @file
/// Throughput against batch size: the same requests served again at 1, 2, 4, ... at a time.
#include <vector>

#include "stages/3_batching/work.h"
#include "stages/core/session.h"

namespace stagecraft {

/// A line for each power of two up to `largest`, and for `largest`. All requests arrive at the start, on the clock on the
/// wall. Each run must give the tokens of `reference`, or it is a bug: throws std::logic_error.
std::vector<WorkLine> sweep_batch_sizes(const Session& session, const RunReport& reference, NumberType kv_type,
                                        int largest);

}  // namespace stagecraft
