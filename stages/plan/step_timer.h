#pragma once
/// @file
/// Times single steps of a model on this machine: a forward pass of made-up tokens, and a greedy token for each
/// request. What a step costs does not depend on the tokens, so nothing has to be computed before it.
#include <cstdint>
#include <vector>

#include "stages/core/engine_clock.h"
#include "stages/core/kv_pool.h"
#include "stages/core/model.h"
#include "stages/core/run_log.h"

namespace stagecraft {

class StepTimer {
 public:
  /// For steps of up to `most_requests` requests that store up to `longest` tokens each. `model` and `clock` must
  /// outlive this.
  StepTimer(Model& model, const EngineClock& clock, NumberType kv_type, int64_t most_requests, int64_t longest);

  /// Seconds of one step that computes `parts`, each the last `rows` of `kv_length` tokens of a request of its own. It comes
  /// after one of its kind, as in an engine, where steps that decode follow each other and find their keys in the caches.
  double seconds(const std::vector<StepPart>& parts);

 private:
  ForwardBatch batch_of(const std::vector<StepPart>& parts) const;

  Model& model_;
  const EngineClock& clock_;
  int64_t longest_;
  KvPool pool_;
};

/// `requests` that compute `rows` each and hold `kv_length` tokens then.
std::vector<StepPart> equal_parts(int64_t requests, int64_t rows, int64_t kv_length);

}  // namespace stagecraft
