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

  /// How much of each draft is right, judged by the tokens of the last sample, which are still on the device.
  /// `draft[r]` is the drafted token that follows row r, kNoToken in a request's last row; request i has the rows
  /// [row_start[i], row_start[i + 1]), at least one. Returns, for each request, the length of the longest prefix of its
  /// draft that equals what was drawn (EXACTNESS R9).
  std::vector<int32_t> verify(const std::vector<TokenId>& draft, const std::vector<int32_t>& row_start);

  /// The logits of the last forward, (logit_rows, vocabulary), in host memory.
  std::vector<float> copy_logits() const;

  const ModelConfig& config() const;
  const ModelWeights& weights() const;
  Device& device() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stagecraft
