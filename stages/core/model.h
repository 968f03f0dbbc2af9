#pragma once
/// @file
/// The transformer: from a ForwardBatch to logits, as a sequence of operations of the device's table. The same text for
/// all architectures we read, all devices and all six stages.
#include <memory>
#include <vector>

#include "kernels/device.h"
#include "stages/core/forward_batch.h"
#include "stages/core/kv_pool.h"
#include "stages/core/model_config.h"
#include "stages/core/weights.h"

namespace stagecraft {

class Model {
 public:
  /// Puts the weights where `device` can read them: in place on a cpu, a copy elsewhere. `max_positions` bounds the
  /// positions that forward will see (it sizes the RoPE table). `device` must outlive the model.
  Model(Device& device, const ModelConfig& config, ModelWeights weights, int64_t max_positions);
  ~Model();

  /// Stores the K and V of every row in `pool`, then computes the logits of `batch.logit_rows`.
  /// Returns (logit_rows, vocabulary) floats in device memory, valid until the next forward.
  const float* forward(const ForwardBatch& batch, KvPool& pool);

  /// Draws one token for each row of the logits of the last forward. kNoToken: that row's logits are unusable.
  std::vector<TokenId> sample(const std::vector<SamplingRow>& how);

  const ModelConfig& config() const;
  const ModelWeights& weights() const;
  Device& device() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stagecraft
