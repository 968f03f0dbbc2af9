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
#include "stages/core/engine_run.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

/// One request after the other, in the order of arrival.
class NaiveEngine : public StageEngine {
 public:
  /// Slots for the longest request.
  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory&) const override;
  RunLog run(const RunInput& input) override;

 protected:
  /// What the next step may assume to be computed. Stage 1 assumes nothing.
  virtual void before_step(Request& request) const;

 private:
  void serve(Generation& generation, EngineRun& run, KvStore& store) const;
};

}  // namespace stagecraft
