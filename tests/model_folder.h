#pragma once
/// @file
/// Model folders made by a test: a small config.json and random weights of the shapes that it asks for. A test that
/// wants a damaged one changes the configuration or the tensors before they are written.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "kernels/number_types.h"
#include "stages/core/model_config.h"
#include "stages/core/weight_layout.h"
#include "tests/temporary_folder.h"

namespace stagecraft::testing {

/// A tensor to be written: its type as safetensors spells it, its shape and the bytes of its elements.
struct TensorContent {
  std::string dtype;
  std::vector<int64_t> shape;
  std::string bytes;
};
using Tensors = std::map<std::string, TensorContent>;

/// "BF16", "F16" or "F32".
inline std::string safetensors_name(NumberType type) {
  return type == NumberType::bf16 ? "BF16" : type == NumberType::fp16 ? "F16" : "F32";
}

/// `values`, rounded to `type`, as a file holds them.
inline std::string stored_bytes(const std::vector<float>& values, NumberType type) {
  std::string bytes;
  const auto append = [&](auto element) { bytes.append(reinterpret_cast<const char*>(&element), sizeof element); };
  for (const float value : values) {
    if (type == NumberType::bf16) append(round_to_bf16(value));
    if (type == NumberType::fp16) append(round_to_fp16(value));
    if (type == NumberType::fp32) append(value);
  }
  return bytes;
}

/// A safetensors file of this header and these data; the header is padded so that the data begin at a multiple of 8.
inline std::string safetensors_file(std::string header, std::string_view data) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  return file.append(header).append(data);
}

/// The same of whole tensors, widest elements first, as the format's own library orders them.
inline std::string safetensors_file(const Tensors& tensors) {
  nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string data;
  for (const bool wide : {true, false}) {
    for (const auto& [name, tensor] : tensors) {
      if ((tensor.dtype == "F32") != wide) continue;
      header[name] = {{"dtype", tensor.dtype},
                      {"shape", tensor.shape},
                      {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
      data += tensor.bytes;
    }
  }
  return safetensors_file(header.dump(), data);
}

/// A configuration of 2 layers, 4 query heads of 8 elements, 2 key heads, vocabulary 40, with a head of its own.
inline nlohmann::json tiny_config(const std::string& architecture = "LlamaForCausalLM") {
  return {{"architectures", nlohmann::json::array({architecture})},
          {"hidden_size", 24},
          {"intermediate_size", 40},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"head_dim", 8},
          {"vocab_size", 40},
          {"max_position_embeddings", 64},
          {"rms_norm_eps", 1e-5},
          {"rope_theta", 10000.0},
          {"hidden_act", "silu"},
          {"tie_word_embeddings", false},
          {"torch_dtype", "bfloat16"},
          {"eos_token_id", 0}};
}

/// Every tensor that `config` asks for, with random numbers in [-0.5, 0.5), around 1 in norms.
inline Tensors random_tensors(const nlohmann::json& config, NumberType type = NumberType::bf16, uint32_t seed = 1) {
  const ModelConfig model = parse_model_config(config.dump(), "test configuration");
  std::mt19937 random(seed);
  Tensors tensors;
  ModelWeights roles;
  roles.layers.resize(size_t(model.layers));
  for_each_weight(roles, model, [&](WeightView&, const std::string& name, WeightShape shape) {
    const float middle = name.find("norm") == std::string::npos ? 0.0f : 1.0f;
    std::vector<float> values(size_t(shape.elements()));
    for (float& value : values) value = middle + float(random() >> 8) * 0x1p-24f - 0.5f;
    std::vector<int64_t> dimensions{shape.rows};
    if (shape.columns != WeightShape::kVector) dimensions.push_back(shape.columns);
    tensors[name] = {safetensors_name(type), dimensions, stored_bytes(values, type)};
  });
  return tensors;
}

/// Writes config.json and model.safetensors.
inline void write_model(const std::filesystem::path& folder, const nlohmann::json& config, const Tensors& tensors) {
  write_file(folder / "config.json", config.dump(1));
  write_file(folder / "model.safetensors", safetensors_file(tensors));
}

}  // namespace stagecraft::testing
