#pragma once
/// @file
/// How long a step takes, by arithmetic instead of a stopwatch (the roofline; Williams et al., CACM 2009):
///
///     time = overhead + max( (weight bytes + KV bytes read) / bandwidth,  FLOP a token x tokens / FLOP rate )
///
/// A decoding step reads all weights for a few tokens and waits for memory; a step with a long chunk of a prompt waits
/// for arithmetic. Everything is an integer and divisions round up to whole nanoseconds, so that a schedule has the
/// same times on every machine.
#include <cstdint>
#include <vector>

#include "stages/core/run_log.h"

namespace stagecraft {

/// The constants of a model on a machine. The defaults charge nothing for bytes and arithmetic.
struct CostModel {
  int64_t overhead_ns = 0;         // a step, whatever is in it
  int64_t weight_bytes = 0;        // read once a step
  int64_t kv_bytes_per_token = 0;  // read once a step for each token that a request holds
  int64_t bytes_per_ns = 1;        // memory bandwidth; the same number as GB/s
  int64_t flop_per_token = 0;      // 2 x parameters
  int64_t flop_per_ns = 1;         // the same number as GFLOP/s

  /// Every step takes `step_ns`: the model under which batching is free.
  static CostModel constant_step(int64_t step_ns) { return {.overhead_ns = step_ns}; }

  /// Throws BadInput that names the field that is negative, or the rate that is not positive.
  void validate() const;

  /// Time of a step that computes `parts` (rows, and the keys that each request holds once they are stored).
  int64_t step_ns(const std::vector<StepPart>& parts) const;
};

}  // namespace stagecraft
