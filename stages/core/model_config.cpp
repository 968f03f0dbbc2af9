/// @file
/// config.json to ModelConfig: one check a field. Where transformers has a default that decides arithmetic, it is used;
/// a field that decides shapes has to be there.
#include "stages/core/model_config.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "stages/core/json_fields.h"
#include "stages/core/model_files/architecture.h"
#include "stages/core/model_files/rope_config.h"
#include "stages/core/model_files/unique_keys.h"
#include "stages/core/model_files/window_config.h"
#include "stages/core/model_files/with_hint.h"

namespace stagecraft {
namespace {

// Bounds far above any model, so that products of sizes stay far below 2^63.
constexpr int64_t kMostLayers = 4096;
constexpr int64_t kMostHeads = int64_t(1) << 16;
constexpr int64_t kLargestWidth = int64_t(1) << 24;
constexpr int64_t kLargestContext = int64_t(1) << 30;
constexpr int64_t kLargestVocabulary = std::numeric_limits<TokenId>::max();
constexpr int64_t kLargestHeadDim = 256;  // attention keeps a head's output in registers

constexpr const char* kCompareHint = "compare with the config.json that the model was published with";

void read_sizes(ModelConfig& model, const JsonField& config) {
  model.hidden_size = config.at("hidden_size").positive_integer(kLargestWidth);
  model.intermediate_size = config.at("intermediate_size").positive_integer(kLargestWidth);
  model.layers = int(config.at("num_hidden_layers").positive_integer(kMostLayers));
  model.vocabulary = config.at("vocab_size").positive_integer(kLargestVocabulary);
  model.context = config.at("max_position_embeddings").positive_integer(kLargestContext);
}

void read_heads(ModelConfig& model, const JsonField& config, const Architecture& architecture) {
  const JsonField heads = config.at("num_attention_heads");
  model.heads = int(heads.positive_integer(kMostHeads));
  model.kv_heads = model.heads;
  if (const auto kv_heads = config.find("num_key_value_heads")) {
    model.kv_heads = int(kv_heads->positive_integer(model.heads));
    if (model.heads % model.kv_heads != 0)
      kv_heads->fail(fmt::format("must divide num_attention_heads, {}", model.heads));
  }

  int64_t head_dim = architecture.default_head_dim;
  if (const auto given = config.find("head_dim")) {
    head_dim = given->positive_integer(kLargestWidth);
  } else if (head_dim == kImpliedHeadDim) {
    if (model.hidden_size % model.heads != 0) heads.fail(fmt::format("must divide hidden_size, {}", model.hidden_size));
    head_dim = model.hidden_size / model.heads;
  }
  if (head_dim % 2 != 0 || head_dim > kLargestHeadDim) {
    throw BadInput(
        fmt::format("{}: head_dim (or hidden_size / num_attention_heads) is {}; it must be even and at most {}",
                    config.file(), head_dim, kLargestHeadDim));
  }
  model.head_dim = int(head_dim);
}

/// A switch that only some architectures have: true elsewhere means that the file is not what it says.
bool read_switch(const JsonField& config, const std::string& key, bool known, const Architecture& architecture) {
  const bool on = config.boolean_or(key, false);
  if (on && !known)
    config.at(key).fail(fmt::format("must be false or absent: {} has no such biases", architecture.name));
  return on;
}

void read_arithmetic(ModelConfig& model, const JsonField& config, const Architecture& architecture) {
  constexpr double kLeastEpsilon = 1e-30;  // above the least float
  const JsonField epsilon = config.at("rms_norm_eps");
  if (epsilon.number() < kLeastEpsilon || epsilon.number() > 1.0) epsilon.fail("must be above 0 and at most 1");
  model.rms_norm_epsilon = float(epsilon.number());

  const std::string activation = config.text_or("hidden_act", "silu");
  if (activation != "silu" && activation != "swish") {
    config.at("hidden_act").fail("must be \"silu\"", "models with another activation are not supported");
  }
  const bool attention_bias = read_switch(config, "attention_bias", architecture.reads_attention_bias, architecture);
  model.qkv_bias = architecture.always_qkv_bias || attention_bias;
  model.output_bias = attention_bias;
  model.mlp_bias = read_switch(config, "mlp_bias", architecture.reads_mlp_bias, architecture);
  model.qk_norm = architecture.qk_norm;
  model.tied_head = config.boolean_or("tie_word_embeddings", false);
}

/// The element type is each tensor's own; here it only has to be one that tensors may have.
void check_element_type(const JsonField& config) {
  for (const char* key : {"dtype", "torch_dtype"}) {
    const std::string name = config.text_or(key, "bfloat16");
    if (name != "bfloat16" && name != "float16" && name != "float32") {
      config.at(key).fail("must be bfloat16, float16 or float32", "convert the model to one of these");
    }
  }
  if (const auto quantized = config.find("quantization_config")) {
    quantized->fail("must be absent", "quantised models are not supported: take the bf16, fp16 or fp32 original");
  }
}

/// eos_token_id as a number, a list, or null.
std::vector<TokenId> read_end_of_text(const JsonField& config, int64_t vocabulary) {
  const auto field = config.find("eos_token_id");
  if (!field) return {};
  if (!field->value().is_array()) return {TokenId(field->integer(0, vocabulary - 1))};
  std::vector<TokenId> ids;
  for (size_t i = 0; i < field->array().size(); ++i) ids.push_back(TokenId(field->at(i).integer(0, vocabulary - 1)));
  return ids;
}

/// The same from generation_config.json, which may be absent.
std::vector<TokenId> read_generation_ids(const std::filesystem::path& path, int64_t vocabulary) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  return with_hint("remove the file if config.json says all there is to say", [&] {
    const nlohmann::json document = read_json_file(path);
    return read_end_of_text(JsonField(document, path.string()), vocabulary);
  });
}

ModelConfig read_fields(const JsonField& config) {
  const Architecture& architecture = read_architecture(config);
  ModelConfig model;
  model.architecture = architecture.name;
  check_element_type(config);
  read_sizes(model, config);
  read_heads(model, config, architecture);
  read_arithmetic(model, config, architecture);
  model.window = read_window(config, architecture, model.layers);
  model.rope = read_rope(config, model.context);
  model.end_of_text = read_end_of_text(config, model.vocabulary);
  return model;
}

void check_folder(const std::filesystem::path& folder) {
  constexpr const char* kHint = "give a Hugging Face folder: config.json, tokenizer.json and model.safetensors";
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored))
    throw BadInput(fmt::format("{}: no such folder", folder.string()), kHint);
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw BadInput(fmt::format("{}: is a file, not a model folder", folder.string()), kHint);
  }
}

}  // namespace

ModelConfig parse_model_config(std::string_view text, const std::string& source) {
  return with_hint(kCompareHint, [&] {
    const nlohmann::json document = parse_json(text, source, UniqueKeys(source));
    return read_fields(JsonField(document, source));
  });
}

ModelConfig read_model_config(const std::filesystem::path& folder) {
  check_folder(folder);
  const std::filesystem::path path = folder / "config.json";
  ModelConfig model = parse_model_config(read_text_file(path), path.string());
  std::vector<TokenId> ids = read_generation_ids(folder / "generation_config.json", model.vocabulary);
  if (!ids.empty()) model.end_of_text = std::move(ids);
  return model;
}

void check_vocabulary(int64_t tokenizer_vocabulary, const ModelConfig& config) {
  if (tokenizer_vocabulary <= config.vocabulary) return;
  throw BadInput(fmt::format("the tokenizer has {} tokens, the model only {} (vocab_size)", tokenizer_vocabulary,
                             config.vocabulary),
                 "tokenizer.json and model.safetensors belong to different models: download them together");
}

}  // namespace stagecraft
