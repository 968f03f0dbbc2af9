#pragma once
/// @file
/// How long a step takes, by arithmetic instead of a stopwatch (the roofline; Williams et al., CACM 2009):
///
///     time = overhead + max( (weight bytes + KV bytes read) / bandwidth,  FLOP of the step / FLOP rate )
///
/// A decoding step reads all weights for a few tokens and waits for memory; a step with a long chunk of a prompt waits
/// for arithmetic. What a step has to compute, and what it reads of a mixture of experts:
///
///     FLOP    =  tokens x flop_per_token  +  requests x flop_per_request,  and attention, by pairs (token, key it sees)
///     experts =  bytes x (1 - (1 - k / E)^tokens)        each token goes to k of E; nobody reads one twice
///
/// Everything is an integer and divisions round up to whole nanoseconds, so that a schedule has the same times on every
/// machine. Schedules and the planner (stages/plan) have this one in common.
#include <cstdint>
#include <vector>

#include "stages/core/run_log.h"

namespace stagecraft {

/// Weights of which a step reads only some: those of the experts that its tokens are sent to.
struct ExpertWeights {
  int64_t bytes = 0;  // of all experts of all layers
  int64_t count = 1, per_token = 1;

  /// Bytes that a step of `tokens` reads, on average, if the router picks evenly and each token by itself.
  int64_t expected_bytes(int64_t tokens) const;
};

/// A FLOP rate that was measured with so many rows in a step.
struct RowRate {
  int64_t rows = 0;
  int64_t flop_per_us = 0;
};

/// The constants of a model on a machine. The defaults charge nothing for bytes and arithmetic.
struct CostModel {
  int64_t overhead_ns = 0;         // a step, whatever is in it
  int64_t weight_bytes = 0;        // read once a step
  int64_t kv_bytes_per_token = 0;  // read once a step for each token that a request holds
  int64_t bytes_per_ns = 1;        // memory bandwidth; the same number as GB/s
  int64_t flop_per_token = 0;      // 2 x parameters
  int64_t flop_per_ns = 1;         // the same number as GFLOP/s

  ExpertWeights experts = {};       // besides weight_bytes
  int64_t flop_per_request = 0;     // the head, which a request needs for its last row only
  int64_t attention_ps = 0;         // picoseconds of a pair (row, key that it sees), over all layers
  int64_t key_ps = 0;               // picoseconds of a key that a request holds, however many rows look at it
  std::vector<RowRate> rates = {};  // by rising rows; empty: flop_per_ns, however few the rows are

  /// Every step takes `step_ns`: the model under which batching is free.
  static CostModel constant_step(int64_t step_ns) { return {.overhead_ns = step_ns}; }

  /// Throws BadInput that names the field that is negative, or the rate that is not positive.
  void validate() const;

  /// Time of a step that computes `parts` (rows, and the keys that each request holds once they are stored).
  int64_t step_ns(const std::vector<StepPart>& parts) const;

 private:
  int64_t arithmetic_ns(int64_t tokens, int64_t requests) const;
  double measured_ns(int64_t flop_per_row, int64_t rows) const;
};

}  // namespace stagecraft
