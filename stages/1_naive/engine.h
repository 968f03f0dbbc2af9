#pragma once
/// @file
/// Stage 1, naive decoding: before each step everything is forgotten, and the whole sequence goes through the model for
/// the sake of its last row.
///
///     pass 1   [Once upon a time]                -> ","
///     pass 2   [Once upon a time ,]              -> "there"
///     pass 3   [Once upon a time , there]        -> "was"          each pass: all tokens, one new row of logits
///
/// For a prompt of p tokens and n new ones the model sees n p + n (n - 1) / 2 tokens (stages/core/counting_laws.h). It
/// is the definition of what decoding computes; the later stages only avoid work, and must print the same bits.
#include <functional>
#include <vector>

#include "stages/core/forward_batch.h"
#include "stages/core/generation.h"
#include "stages/core/model.h"
#include "stages/core/run_log.h"

namespace stagecraft {

class NaiveEngine {
 public:
  /// `pool` has a slot for each token of the longest request. Both must outlive this.
  NaiveEngine(Model& model, KvPool& pool) : model_(model), pool_(pool) {}

  /// Serves one request to its end, or cancels it as soon as `cancelled` says so between two steps. Throws Failure if
  /// the model's logits are unusable.
  void run(Generation& generation, const std::function<bool()>& cancelled);

  /// All steps so far, of all requests.
  const std::vector<StepRecord>& steps() const { return steps_; }

 private:
  void step(Generation& generation);

  Model& model_;
  KvPool& pool_;
  std::vector<StepRecord> steps_;
};

/// The pass that catches up: all tokens from num_computed on, and the logits of the last of them.
ForwardBatch plan_step(const Request& request);

/// Logits of every position of `prompt`, from one pass: (positions, vocabulary).
std::vector<float> prompt_logits(Model& model, KvPool& pool, const std::vector<TokenId>& prompt);

}  // namespace stagecraft
