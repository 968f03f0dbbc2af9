#pragma once
/// @file
/// The architectures we read. They are one transformer with small differences; each difference is a column of this
/// table.
#include <string_view>

#include "stages/core/json_fields.h"

namespace stagecraft {

/// Which fields of config.json say how far a token sees.
enum class WindowRule {
  never,     // no sliding window
  size,      // sliding_window, null for none
  switched,  // sliding_window counts only with use_sliding_window, from layer max_window_layers on
};

struct Architecture {
  std::string_view name;        // in "architectures"
  std::string_view model_type;  // in "model_type"
  bool always_qkv_bias;
  bool reads_attention_bias;  // "attention_bias": biases on q, k, v and the output projection
  bool reads_mlp_bias;        // "mlp_bias": biases on gate, up and down
  bool qk_norm;
  WindowRule window;
  int default_head_dim;  // kImpliedHeadDim: hidden_size / num_attention_heads
};
inline constexpr int kImpliedHeadDim = 0;

/// The one that `config` names. Throws BadInput for any other, listing those we read.
const Architecture& read_architecture(const JsonField& config);

}  // namespace stagecraft
