/// @file
/// Names, defaults, and what is refused.
#include "stages/plan/shape_reader.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/json_fields.h"

namespace stagecraft {
namespace {

using Names = std::initializer_list<const char*>;

// Far beyond any model, and small enough that no count overflows.
constexpr int64_t kWidest = 1 << 20, kDeepest = 1 << 12, kMostWords = 1 << 24, kLongest = int64_t{1} << 40;
constexpr int64_t kDefaultWidening = 4;
constexpr int64_t kPlainMlp = 2, kGatedMlp = 3;

constexpr const char* kWrongKindHint = "plan counts transformers with attention over all tokens or over a window";

std::optional<int64_t> any_of(const JsonField& config, Names names, int64_t most) {
  for (const char* name : names) {
    if (const auto field = config.find(name)) return field->positive_integer(most);
  }
  return std::nullopt;
}

int64_t one_of(const JsonField& config, Names names, int64_t most) {
  if (const auto value = any_of(config, names, most)) return *value;
  throw BadInput(fmt::format("{}: field \"{}\" is missing", config.file(), *names.begin()),
                 "this is not the config.json of a transformer; plan --list shows the models that need no file");
}

void refuse_other_kinds(const JsonField& config) {
  for (const char* name : {"ssm_cfg", "mamba_d_state", "state_size", "linear_num_key_heads"}) {
    if (config.find(name)) {
      throw BadInput(
          fmt::format("{}: field \"{}\": the model keeps a state instead of a KV cache", config.file(), name),
          kWrongKindHint);
    }
  }
  for (const char* name : {"decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step"}) {
    const auto field = config.find(name);
    if (field && field->value().is_number() && field->number() != 1) {
      field->fail("must be 1", "plan knows models whose layers all have experts, after the first few");
    }
  }
}

/// Models of before 2023 that widen and narrow with two matrices; everybody else has a gate beside them.
bool has_plain_mlp(const std::string& model_type) {
  static constexpr std::array kPlain = {"gpt2",  "opt",    "gpt_neo", "gpt_neox", "gptj", "gpt_bigcode",
                                        "bloom", "falcon", "phi",     "mpt",      "xglm", "starcoder2"};
  return std::find(kPlain.begin(), kPlain.end(), model_type) != kPlain.end();
}

void read_experts(const JsonField& config, ModelShape& shape) {
  const auto count = any_of(config, {"num_local_experts", "num_experts", "n_routed_experts"}, kWidest);
  if (!count || *count == 1) return;
  ExpertShape& experts = shape.experts;
  experts.count = *count;
  experts.per_token = one_of(
      config, {"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_top_k"}, *count);
  experts.intermediate = any_of(config, {"moe_intermediate_size"}, kWidest).value_or(shape.intermediate);
  experts.shared_intermediate = any_of(config, {"shared_expert_intermediate_size"}, kWidest).value_or(0);
  if (const auto shared = config.find("n_shared_experts")) {
    experts.shared_intermediate = shared->integer(0, kDeepest) * experts.intermediate;
  }
  if (const auto dense = config.find("first_k_dense_replace")) experts.dense_layers = dense->integer(0, shape.layers);
}

void read_latent(const JsonField& config, ModelShape& shape) {
  const auto rank = any_of(config, {"kv_lora_rank"}, kWidest);
  if (!rank) return;
  shape.latent.kv_rank = *rank;
  shape.latent.query_rank = any_of(config, {"q_lora_rank"}, kWidest).value_or(0);
  shape.latent.rope_dim = one_of(config, {"qk_rope_head_dim"}, kWidest);
  shape.latent.plain_dim = one_of(config, {"qk_nope_head_dim"}, kWidest);
  shape.latent.value_dim = one_of(config, {"v_head_dim"}, kWidest);
}

/// Which layers look back only so far: those that layer_types names, or all of them.
void read_window(const JsonField& config, ModelShape& shape) {
  const auto window = any_of(config, {"sliding_window"}, kLongest);
  const bool used = config.boolean_or("use_sliding_window", true);
  const auto types = config.find("layer_types");
  int64_t windowed = shape.layers;
  if (types) {
    windowed = 0;
    for (size_t i = 0; i < types->array().size(); ++i) {
      const std::string& type = types->at(i).text();
      if (type == "sliding_attention") ++windowed;
      if (type != "sliding_attention" && type != "full_attention") {
        types->at(i).fail("must be full_attention or sliding_attention", kWrongKindHint);
      }
    }
  }
  if (!window || !used || windowed == 0) return;
  shape.window = *window;
  shape.windowed_layers = std::min(windowed, shape.layers);
}

}  // namespace

ModelShape parse_model_shape(std::string_view text, const std::string& source) {
  const nlohmann::json document = parse_json(text, source);
  const JsonField root(document, source);
  const JsonField config = root.find("text_config").value_or(root);
  refuse_other_kinds(config);

  ModelShape shape;
  shape.name = source;
  shape.hidden = one_of(config, {"hidden_size", "n_embd", "d_model"}, kWidest);
  shape.layers = one_of(config, {"num_hidden_layers", "n_layer", "num_layers", "n_layers"}, kDeepest);
  shape.heads = one_of(config, {"num_attention_heads", "n_head", "n_heads"}, kWidest);
  const bool one_kv_head = config.boolean_or("multi_query", false);
  shape.kv_heads =
      any_of(config, {"num_key_value_heads", "num_kv_heads"}, kWidest).value_or(one_kv_head ? 1 : shape.heads);
  if (shape.heads % shape.kv_heads != 0) {
    throw BadInput(fmt::format("{}: {} heads cannot share {} heads of keys and values evenly", source, shape.heads,
                               shape.kv_heads),
                   kFieldHint);
  }
  shape.head_dim = any_of(config, {"head_dim"}, kWidest).value_or(std::max<int64_t>(1, shape.hidden / shape.heads));
  shape.intermediate = any_of(config, {"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"}, kWidest)
                           .value_or(kDefaultWidening * shape.hidden);
  shape.vocabulary = one_of(config, {"vocab_size"}, kMostWords);
  shape.context =
      any_of(config, {"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"}, kLongest).value_or(0);
  const std::string type = config.text_or("model_type", "");
  shape.mlp_matrices = has_plain_mlp(type) ? kPlainMlp : kGatedMlp;
  shape.tied_head = config.boolean_or("tie_word_embeddings", root.boolean_or("tie_word_embeddings", type == "gpt2"));
  shape.qkv_bias = config.boolean_or("attention_bias", type == "qwen2" || type == "gpt2" || type == "opt");
  read_experts(config, shape);
  read_latent(config, shape);
  read_window(config, shape);
  return shape;
}

ModelShape read_model_shape(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path file = std::filesystem::is_directory(path, ignored) ? path / "config.json" : path;
  return parse_model_shape(read_text_file(file), file.string());
}

}  // namespace stagecraft
