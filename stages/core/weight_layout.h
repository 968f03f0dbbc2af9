#pragma once
/// @file
/// Every weight of a model: its role, its name in the files and its shape, in one list. Whoever loads, copies or counts
/// weights walks this list.
#include <cstdint>
#include <string>

#include "stages/core/model_config.h"
#include "stages/core/weights.h"

namespace stagecraft {

/// Rows and columns of a weight; a vector has no columns.
struct WeightShape {
  static constexpr int64_t kVector = 0;

  int64_t rows;
  int64_t columns = kVector;

  int64_t elements() const { return columns == kVector ? rows : rows * columns; }
};

/// Calls `use(WeightView& view, const std::string& name, WeightShape shape)` for each weight of layer `index` that the
/// configuration has.
template <class Use>
void for_each_layer_weight(LayerWeights& w, int index, const ModelConfig& config, Use&& use) {
  const std::string layer = "model.layers." + std::to_string(index) + ".";
  const int64_t hidden = config.hidden_size, inner = config.intermediate_size;
  const int64_t q_width = int64_t(config.heads) * config.head_dim,
                kv_width = int64_t(config.kv_heads) * config.head_dim;

  use(w.attention_norm, layer + "input_layernorm.weight", WeightShape{hidden});
  use(w.q, layer + "self_attn.q_proj.weight", WeightShape{q_width, hidden});
  use(w.k, layer + "self_attn.k_proj.weight", WeightShape{kv_width, hidden});
  use(w.v, layer + "self_attn.v_proj.weight", WeightShape{kv_width, hidden});
  if (config.qkv_bias) {
    use(w.q_bias, layer + "self_attn.q_proj.bias", WeightShape{q_width});
    use(w.k_bias, layer + "self_attn.k_proj.bias", WeightShape{kv_width});
    use(w.v_bias, layer + "self_attn.v_proj.bias", WeightShape{kv_width});
  }
  if (config.qk_norm) {
    use(w.q_norm, layer + "self_attn.q_norm.weight", WeightShape{config.head_dim});
    use(w.k_norm, layer + "self_attn.k_norm.weight", WeightShape{config.head_dim});
  }
  use(w.output, layer + "self_attn.o_proj.weight", WeightShape{hidden, q_width});
  if (config.output_bias) use(w.output_bias, layer + "self_attn.o_proj.bias", WeightShape{hidden});

  use(w.mlp_norm, layer + "post_attention_layernorm.weight", WeightShape{hidden});
  use(w.gate, layer + "mlp.gate_proj.weight", WeightShape{inner, hidden});
  use(w.up, layer + "mlp.up_proj.weight", WeightShape{inner, hidden});
  use(w.down, layer + "mlp.down_proj.weight", WeightShape{hidden, inner});
  if (config.mlp_bias) {
    use(w.gate_bias, layer + "mlp.gate_proj.bias", WeightShape{inner});
    use(w.up_bias, layer + "mlp.up_proj.bias", WeightShape{inner});
    use(w.down_bias, layer + "mlp.down_proj.bias", WeightShape{hidden});
  }
}

/// The same for the whole model. A tied head has no weight of its own: set it to the embedding afterwards.
template <class Use>
void for_each_weight(ModelWeights& weights, const ModelConfig& config, Use&& use) {
  use(weights.embedding, "model.embed_tokens.weight", WeightShape{config.vocabulary, config.hidden_size});
  for (int layer = 0; layer < config.layers; ++layer) {
    for_each_layer_weight(weights.layers[size_t(layer)], layer, config, use);
  }
  use(weights.final_norm, "model.norm.weight", WeightShape{config.hidden_size});
  if (!config.tied_head) use(weights.head, "lm_head.weight", WeightShape{config.vocabulary, config.hidden_size});
}

}  // namespace stagecraft
