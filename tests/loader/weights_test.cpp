/// @file
/// Weights found by role; what is missing, misshapen, or not a number.
#include "stages/core/weights.h"

#include <cstring>
#include <limits>

#include "tests/loader/refusal.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr const char* kQ = "model.layers.1.self_attn.q_proj.weight";

ModelWeights load(const nlohmann::json& config, const Tensors& tensors, const LoadOptions& options = {}) {
  const TemporaryFolder folder;
  write_model(folder.path(), config, tensors);
  return load_weights(folder.path(), read_model_config(folder.path()), options);  // the mapping outlives the folder
}

bool holds(WeightView view, const TensorContent& tensor) {
  return view.data != nullptr && std::memcmp(view.data, tensor.bytes.data(), tensor.bytes.size()) == 0;
}

/// Sets element `index` of a bf16 tensor.
void set_bf16(TensorContent& tensor, size_t index, float value) {
  const bf16 element = round_to_bf16(value);
  std::memcpy(tensor.bytes.data() + index * sizeof element, &element, sizeof element);
}

}  // namespace

TEST_CASE("every weight of every architecture is found under its role, in each type") {
  for (const char* architecture : {"LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"}) {
    for (const NumberType type : {NumberType::bf16, NumberType::fp16, NumberType::fp32}) {
      INFO(architecture << ", " << name_of(type));
      const nlohmann::json config = tiny_config(architecture);
      const Tensors tensors = random_tensors(config, type);
      ModelWeights weights = load(config, tensors);
      CHECK(weights.type == type);
      CHECK(weights.warnings.empty());
      int64_t bytes = 0;
      for_each_weight(weights, parse_model_config(config.dump(), ""),
                      [&](WeightView& view, const std::string& name, WeightShape) {
                        INFO(name);
                        CHECK(view.type == type);
                        CHECK(holds(view, tensors.at(name)));
                        bytes += int64_t(tensors.at(name).bytes.size());
                      });
      CHECK(weights.bytes == bytes);
      CHECK(weights.parameters == bytes / bytes_of(type));
    }
  }
}

TEST_CASE("weights that an architecture does not have are null") {
  const nlohmann::json config = tiny_config();
  const ModelWeights weights = load(config, random_tensors(config));
  const LayerWeights& layer = weights.layers.at(0);
  for (const WeightView view : {layer.q_bias, layer.k_bias, layer.v_bias, layer.q_norm, layer.k_norm, layer.output_bias,
                                layer.gate_bias, layer.up_bias, layer.down_bias}) {
    CHECK(view.data == nullptr);
  }
}

TEST_CASE("all biases of a Llama with biases are found") {
  nlohmann::json config = tiny_config();
  config.update({{"attention_bias", true}, {"mlp_bias", true}});
  const Tensors tensors = random_tensors(config);
  const ModelWeights weights = load(config, tensors);
  CHECK(holds(weights.layers[1].output_bias, tensors.at("model.layers.1.self_attn.o_proj.bias")));
  CHECK(holds(weights.layers[1].down_bias, tensors.at("model.layers.1.mlp.down_proj.bias")));
}

TEST_CASE("a forward pass reads one embedding row of an untied model, and the whole table of a tied one") {
  nlohmann::json config = tiny_config();
  const ModelWeights untied = load(config, random_tensors(config));
  CHECK(untied.bytes_per_forward == untied.bytes - 39 * 24 * 2);
  config["tie_word_embeddings"] = true;
  const ModelWeights tied = load(config, random_tensors(config));
  CHECK(tied.head.data == tied.embedding.data);
  CHECK(tied.bytes_per_forward == tied.bytes);
  CHECK(tied.bytes == untied.bytes - 40 * 24 * 2);
}

TEST_CASE("types may differ from tensor to tensor") {
  const nlohmann::json config = tiny_config();
  Tensors tensors = random_tensors(config);
  tensors["model.norm.weight"] = random_tensors(config, NumberType::fp32).at("model.norm.weight");
  tensors[kQ] = random_tensors(config, NumberType::fp16).at(kQ);
  const ModelWeights weights = load(config, tensors);
  CHECK(weights.type == NumberType::bf16);
  CHECK(weights.final_norm.type == NumberType::fp32);
  CHECK(weights.layers[1].q.type == NumberType::fp16);
  CHECK(holds(weights.layers[1].q, tensors.at(kQ)));
}

TEST_CASE("a missing tensor is named") {
  const nlohmann::json config = tiny_config();
  for (const char* name : {"model.embed_tokens.weight", kQ, "model.norm.weight"}) {
    Tensors tensors = random_tensors(config);
    tensors.erase(name);
    require_refusal([&] { load(config, tensors); }, {"model.safetensors", name, "missing"});
  }
}

TEST_CASE("a missing head is refused with the way out, unless it is tied") {
  nlohmann::json config = tiny_config();
  Tensors tensors = random_tensors(config);
  tensors.erase("lm_head.weight");
  const std::string hint = require_refusal([&] { load(config, tensors); }, {"lm_head.weight", "missing"});
  CHECK(hint.find("tie_word_embeddings") != std::string::npos);
  config["tie_word_embeddings"] = true;
  CHECK_NOTHROW(load(config, tensors));
}

TEST_CASE("a head beside a tied one passes in silence only if it is a copy") {
  nlohmann::json config = tiny_config();
  config["tie_word_embeddings"] = true;
  Tensors tensors = random_tensors(config);
  tensors["lm_head.weight"] = tensors.at("model.embed_tokens.weight");
  CHECK(load(config, tensors).warnings.empty());

  set_bf16(tensors.at("lm_head.weight"), 5, 9.0f);
  const ModelWeights weights = load(config, tensors);
  CHECK(holds(weights.head, tensors.at("model.embed_tokens.weight")));
  REQUIRE(weights.warnings.size() == 1);
  CHECK(weights.warnings[0].find("lm_head.weight") != std::string::npos);
}

TEST_CASE("a shape that config.json does not ask for is refused, naming both") {
  nlohmann::json config = tiny_config();
  const Tensors tensors = random_tensors(config);
  config["vocab_size"] = 41;
  require_refusal([&] { load(config, tensors); }, {"model.embed_tokens.weight", "(40, 24)", "(41, 24)"});

  config = tiny_config();
  Tensors turned = tensors;
  turned.at(kQ).shape = {24, 32};  // as many elements, the other way round
  require_refusal([&] { load(config, turned); }, {kQ, "(24, 32)", "(32, 24)"});
  Tensors flat = tensors;
  flat.at(kQ).shape = {32 * 24};
  require_refusal([&] { load(config, flat); }, {kQ, "(768)", "(32, 24)"});
}

TEST_CASE("a type that weights cannot have is refused where a weight has it, and only there") {
  const nlohmann::json config = tiny_config();
  Tensors tensors = random_tensors(config);
  tensors["extra"] = {"I64", {2}, std::string(16, '\0')};
  CHECK_NOTHROW(load(config, tensors));
  tensors.at(kQ).dtype = "I16";
  require_refusal([&] { load(config, tensors); }, {kQ, "I16"});
}

TEST_CASE("NaN and infinite weights are reported by tensor, and loaded") {
  const nlohmann::json config = tiny_config();
  Tensors tensors = random_tensors(config);
  set_bf16(tensors.at(kQ), 17, std::numeric_limits<float>::quiet_NaN());
  set_bf16(tensors.at(kQ), 18, -std::numeric_limits<float>::infinity());
  set_bf16(tensors.at("lm_head.weight"), 0, std::numeric_limits<float>::infinity());
  const ModelWeights weights = load(config, tensors);
  REQUIRE(weights.warnings.size() == 2);
  CHECK(weights.warnings[0].find(std::string(kQ) + ": 2 of 768") != std::string::npos);
  CHECK(weights.warnings[1].find("lm_head.weight: 1 of 960") != std::string::npos);
  CHECK(load(config, tensors, {false, nullptr}).warnings.empty());  // not looked for
}

TEST_CASE("tensors that nothing reads are reported, old RoPE tables are not") {
  const nlohmann::json config = tiny_config();
  Tensors tensors = random_tensors(config);
  tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = {"F32", {4}, std::string(16, '\0')};
  CHECK(load(config, tensors).warnings.empty());
  tensors["model.layers.0.self_attn.q_proj.bias"] = {"BF16", {32}, std::string(64, '\0')};
  const ModelWeights weights = load(config, tensors);
  REQUIRE(weights.warnings.size() == 1);
  CHECK(weights.warnings[0].find("q_proj.bias") != std::string::npos);
}

TEST_CASE("loading reports its progress up to 1") {
  const nlohmann::json config = tiny_config();
  std::vector<double> shares;
  load(config, random_tensors(config), {true, [&](double share) { shares.push_back(share); }});
  REQUIRE_FALSE(shares.empty());
  CHECK(shares.back() == 1.0);
}

TEST_CASE("a folder without weights is refused, naming what it holds instead") {
  const TemporaryFolder folder;
  const ModelConfig config = parse_model_config(tiny_config().dump(), "");
  require_refusal([&] { load_weights(folder.path(), config); }, {folder.path().string(), "model.safetensors"});
  write_file(folder.path() / "pytorch_model.bin", "");
  const std::string hint = require_refusal([&] { load_weights(folder.path(), config); }, {"model.safetensors"});
  CHECK(hint.find("PyTorch") != std::string::npos);
}

TEST_CASE("a truncated weight file is refused") {
  const TemporaryFolder folder;
  write_model(folder.path(), tiny_config(), random_tensors(tiny_config()));
  const std::filesystem::path file = folder.path() / "model.safetensors";
  const auto whole = std::filesystem::file_size(file);
  const ModelConfig config = read_model_config(folder.path());
  CHECK_NOTHROW(load_weights(folder.path(), config));
  for (const uintmax_t size : {whole - 1, whole / 2, uintmax_t(100), uintmax_t(8), uintmax_t(7), uintmax_t(0)}) {
    INFO(size << " of " << whole << " bytes");
    std::filesystem::resize_file(file, size);
    require_refusal([&] { load_weights(folder.path(), config); }, {"model.safetensors"});
  }
}
