#pragma once
/// @file
/// A model folder ready to be asked for logits and greedy continuations, without any stage: the shortest way from the
/// weights to the numbers that the golden files hold.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "stages/core/model.h"
#include "stages/core/npy.h"

namespace stagecraft::golden {

/// tests/golden in the source tree.
std::filesystem::path folder();

class GoldenModel {
 public:
  GoldenModel(const std::filesystem::path& model_folder, NumberType kv_type, int64_t max_positions);

  /// Logits after each of `ids`, or after the last one only: (positions, vocabulary).
  std::vector<float> all_logits(const std::vector<TokenId>& ids);
  std::vector<float> last_logits(const std::vector<TokenId>& ids);

  /// The token of the largest logit after each of `ids`.
  std::vector<TokenId> greedy_at_each(const std::vector<TokenId>& ids);

  /// The `count` tokens that follow `ids` at temperature 0. Computed with the cache kept, token by token.
  std::vector<TokenId> continuation(std::vector<TokenId> ids, int count);

  const ModelConfig& config() const { return config_; }

 private:
  /// Computes ids[computed ...] and returns the logits of `rows` of them.
  std::vector<float> run(const std::vector<TokenId>& ids, int64_t computed, const std::vector<int32_t>& rows);

  cpu::CpuDevice device_;
  ModelConfig config_;
  Model model_;
  KvPool pool_;
};

/// ||a - b|| / ||b||, sums in double. Infinite if a number is missing or not finite.
double relative_error(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace stagecraft::golden
