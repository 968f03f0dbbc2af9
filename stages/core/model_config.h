#pragma once
/// @file
/// What config.json of a Hugging Face folder says about a model, read once, checked once, and refused where it asks for
/// arithmetic that the kernels do not have.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/number_types.h"

namespace stagecraft {

/// How the angles of RoPE are stretched to longer contexts. The fields of a kind that is not `kind` are unused.
struct RopeConfig {
  enum class Kind { plain, linear, llama3, yarn };

  Kind kind = Kind::plain;
  double theta = 10000.0;
  double factor = 1.0;          // linear, llama3, yarn
  double original_context = 0;  // llama3, yarn: the context the model was first trained on
  double low_frequency_factor = 1, high_frequency_factor = 4;  // llama3
  double beta_fast = 32, beta_slow = 1;                        // yarn
  bool whole_indices = true;      // yarn: the ends of its ramp are rounded outwards to whole indices ("truncate")
  double attention_factor = 1.0;  // yarn: cos and sin are multiplied by it
};

struct ModelConfig {
  std::string architecture;  // "LlamaForCausalLM", ...
  int64_t hidden_size = 0;
  int64_t intermediate_size = 0;
  int layers = 0;
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int64_t vocabulary = 0;
  int64_t context = 0;  // max_position_embeddings
  float rms_norm_epsilon = 1e-5f;
  int window = kNoWindow;    // sliding window, in tokens
  bool tied_head = false;    // the head is the embedding table
  bool qkv_bias = false;     // Qwen2
  bool output_bias = false;  // Llama with attention_bias
  bool mlp_bias = false;     // Llama with mlp_bias
  bool qk_norm = false;      // Qwen3: RMSNorm of each head of q and k before RoPE
  RopeConfig rope;
  std::vector<TokenId> end_of_text;  // eos_token_id: none, one or several

  /// 2 x layers x kv_heads x head_dim x bytes.
  int64_t kv_bytes_per_token(NumberType type) const {
    return int64_t(2) * layers * kv_heads * head_dim * bytes_of(type);
  }
};

/// Reads `folder`/config.json; where generation_config.json lies beside it, its end-of-text tokens go before those of
/// config.json, as Hugging Face does it. Throws BadInput that names the field and the value where something is missing,
/// of the wrong type, out of range, or asks for arithmetic that is not there.
ModelConfig read_model_config(const std::filesystem::path& folder);

/// The same from the text of a config.json alone; `source` begins each message.
ModelConfig parse_model_config(std::string_view text, const std::string& source);

/// Throws BadInput if a tokenizer of this many tokens can make ids that the model has no embedding for. A model may
/// have more rows than its tokenizer has tokens: many are padded to a round number.
void check_vocabulary(int64_t tokenizer_vocabulary, const ModelConfig& config);

}  // namespace stagecraft
