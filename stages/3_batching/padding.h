#pragma once
/// @file
/// What the lock step of a static batch wastes, read from a run's log and from the law.
#include <cstdint>
#include <vector>

#include "stages/core/run_log.h"

namespace stagecraft {

/// Steps that each request of one static batch took part in: as many as it got tokens.
using BatchLengths = std::vector<int64_t>;

/// The batches of a run of stage 3, in order. A batch begins with a pass over prompts from their first token.
std::vector<BatchLengths> batches_of(const RunLog& log);

struct Padding {
  int64_t steps = 0;   // of all batches: each takes as many as its longest request
  int64_t slots = 0;   // places of all batches, summed over their steps: B x max
  int64_t padded = 0;  // those of them that held an ended request: B x max - sum(lengths)
};

/// By the law, for `batches` one after the other; padded / slots is static_padding_share for one batch.
Padding padding_law(const std::vector<BatchLengths>& batches);

}  // namespace stagecraft
