#pragma once
/// @file
/// The shape of a model from its config.json, whatever its architecture: a lenient sibling of model_config.h, which reads
/// only what we can run. The same number goes by many names; the first that is there counts:
///
/// | number           | names                                                                      |
/// |------------------|----------------------------------------------------------------------------|
/// | hidden           | hidden_size, n_embd, d_model                                               |
/// | layers           | num_hidden_layers, n_layer, num_layers, n_layers                           |
/// | heads            | num_attention_heads, n_head, n_heads                                       |
/// | kv_heads         | num_key_value_heads, num_kv_heads; 1 with multi_query; else heads          |
/// | intermediate     | intermediate_size, n_inner, ffn_dim, ffn_hidden_size; else 4 x hidden      |
/// | experts          | num_local_experts, num_experts, n_routed_experts                           |
/// | experts a token  | num_experts_per_tok, num_experts_per_token, experts_per_token, moe_topk    |
///
/// A file of a model with pictures or sound has all this under text_config; that part is read.
#include <filesystem>
#include <string>
#include <string_view>

#include "stages/plan/model_shape.h"

namespace stagecraft {

/// Reads `path`, a config.json or a folder that has one. Throws BadInput that names what is missing or out of range, and
/// for architectures whose cost this arithmetic would get wrong (state spaces, linear attention, experts in every second
/// layer).
ModelShape read_model_shape(const std::filesystem::path& path);

/// The same from the text of a file; `source` begins each message and names the model.
ModelShape parse_model_shape(std::string_view text, const std::string& source);

}  // namespace stagecraft
