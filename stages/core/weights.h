#pragma once
/// @file
/// The weights of a model by their role, as they lie in the mapped files: nothing is copied, nothing is converted. Data
/// are aligned to their elements, not to more.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "stages/core/model_config.h"

namespace stagecraft {

class SafetensorsFile;

/// One decoder layer. A view whose data is null is a weight that this architecture does not have.
struct LayerWeights {
  WeightView attention_norm;  // (hidden)
  WeightView q, k, v;         // (heads or kv_heads x head_dim, hidden)
  WeightView q_bias, k_bias, v_bias;
  WeightView q_norm, k_norm;  // (head_dim)
  WeightView output;          // (hidden, heads x head_dim)
  WeightView output_bias;
  WeightView mlp_norm;  // (hidden)
  WeightView gate, up;  // (intermediate, hidden)
  WeightView gate_bias, up_bias;
  WeightView down;  // (hidden, intermediate)
  WeightView down_bias;
};

/// All weights, and the files that hold them.
struct ModelWeights {
  WeightView embedding;  // (vocabulary, hidden)
  std::vector<LayerWeights> layers;
  WeightView final_norm;  // (hidden)
  WeightView head;        // (vocabulary, hidden); the embedding itself if the head is tied

  NumberType type = NumberType::bf16;  // of the embedding; norms may differ
  int64_t parameters = 0;              // elements of all tensors that are used
  int64_t bytes = 0;                   // likewise, in bytes
  int64_t bytes_per_forward = 0;      // read by one forward pass of one token: all but the embedding table's other rows
  std::vector<std::string> warnings;  // for people: NaN or infinite weights; tensors not used

  std::vector<std::shared_ptr<const SafetensorsFile>> files;  // keep the mappings alive
};

/// Called while weights are checked, with the share done in [0, 1].
using LoadProgress = std::function<void(double share)>;

struct LoadOptions {
  bool scan_for_nan = true;  // reads every weight once, which also brings the file into the page cache
  LoadProgress progress;     // may be empty
};

/// Maps `folder`/model.safetensors, or the shards that model.safetensors.index.json names, and checks each tensor that
/// the configuration needs: present, of a known type, of the right shape, inside the file. Throws BadInput otherwise.
ModelWeights load_weights(const std::filesystem::path& folder, const ModelConfig& config,
                          const LoadOptions& options = {});

}  // namespace stagecraft
