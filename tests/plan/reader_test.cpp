/// @file
/// config.json of any model: names, defaults, refusals.
#include <string>

#include "kernels/check.h"
#include "stages/core/weights.h"
#include "stages/plan/shape_reader.h"
#include "tests/catch.h"
#include "tests/model_folder.h"

namespace stagecraft {
namespace {

/// The message and the hint with which `text` is refused.
std::string refusal(const std::string& text) {
  try {
    parse_model_shape(text, "config.json");
  } catch (const BadInput& error) {
    return std::string(error.what()) + " / " + error.hint();
  }
  return "";
}

std::string llama(const std::string& more) {
  return R"({"model_type": "llama", "hidden_size": 96, "intermediate_size": 200, "num_hidden_layers": 5,
             "num_attention_heads": 6, "num_key_value_heads": 2, "vocab_size": 1000, "max_position_embeddings": 77)" +
         more + "}";
}

TEST_CASE("parameters by hand: a small dense model", "[plan][reader]") {
  const ModelShape shape = parse_model_shape(llama(""), "x");
  CHECK(shape.head_dim == 16);
  CHECK(shape.context == 77);
  const ParameterCount count = count_parameters(shape);
  CHECK(count.embedding == 96'000);
  CHECK(count.head == 96'000);
  CHECK(count.attention == 5 * (2 * 96 * 96 + 2 * 96 * 32));
  CHECK(count.mlp == 5 * 3 * 96 * 200);
  CHECK(count.experts == 0);
  CHECK(count.norms == (2 * 5 + 1) * 96);
  CHECK(kv_values(shape, 10) == 10 * 5 * 2 * 2 * 16);
  CHECK(attention_flop_per_pair(shape) == 4 * 5 * 6 * 16);
}

TEST_CASE("parameters by hand: experts, shared ones, and first layers without", "[plan][reader]") {
  const ModelShape shape = parse_model_shape(
      llama(R"(, "n_routed_experts": 7, "num_experts_per_tok": 3, "moe_intermediate_size": 11, "n_shared_experts": 2,
                 "first_k_dense_replace": 1, "tie_word_embeddings": true)"),
      "x");
  const ParameterCount count = count_parameters(shape);
  CHECK(count.head == 0);
  CHECK(count.experts == 4 * 7 * 3 * 96 * 11);
  CHECK(count.mlp == 3 * 96 * (1 * 200 + 4 * 22));
  CHECK(count.router == 4 * 96 * 7);
  CHECK(active_parameters(shape) == count.total() - count.experts + count.experts / 7 * 3);
}

TEST_CASE("an older model goes by other names and has two matrices an MLP", "[plan][reader]") {
  const ModelShape shape = parse_model_shape(
      R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257, "n_positions": 1024})",
      "x");
  CHECK(shape.kv_heads == 12);
  CHECK(shape.mlp_matrices == 2);
  CHECK(shape.tied_head);
  CHECK(shape.intermediate == 4 * 768);
  CHECK(double(count_parameters(shape).total()) / 1e6 == Approx(124).epsilon(0.02));
  CHECK(kv_values(shape, 1) * 2 == 36 * 1024);
}

TEST_CASE("experts have three names, and windows may be of some layers only", "[plan][reader]") {
  for (const char* name : {"num_local_experts", "num_experts", "n_routed_experts"}) {
    const std::string experts = ", \"" + std::string(name) + "\": 8, \"num_experts_per_tok\": 2";
    const ModelShape shape = parse_model_shape(llama(experts), "x");
    CHECK(shape.experts.count == 8);
    CHECK(shape.experts.intermediate == 200);
  }
  const ModelShape some = parse_model_shape(
      llama(R"(, "sliding_window": 9, "layer_types": ["sliding_attention", "full_attention", "sliding_attention",
                 "full_attention", "full_attention"])"),
      "x");
  CHECK(some.window == 9);
  CHECK(some.windowed_layers == 2);
  CHECK(parse_model_shape(llama(R"(, "sliding_window": 9)"), "x").windowed_layers == 5);
  CHECK(parse_model_shape(llama(R"(, "sliding_window": 9, "use_sliding_window": false)"), "x").window == 0);
}

TEST_CASE("a model with pictures has its text model inside", "[plan][reader]") {
  const ModelShape shape = parse_model_shape("{\"text_config\": " + llama("") + ", \"vision_config\": {}}", "x");
  CHECK(shape.layers == 5);
}

TEST_CASE("what is missing, wrong or of another kind is refused by name", "[plan][reader]") {
  CHECK(refusal("{").find("broken JSON") != std::string::npos);
  CHECK(refusal("{}").find("\"hidden_size\" is missing") != std::string::npos);
  CHECK(refusal(llama(R"(, "head_dim": 0)")).find("head_dim") != std::string::npos);
  CHECK(refusal(llama(R"(, "head_dim": "x")")).find("head_dim") != std::string::npos);
  CHECK(refusal(llama(R"(, "num_experts": 4)")).find("num_experts_per_tok") != std::string::npos);
  CHECK(refusal(llama(R"(, "num_experts": 4, "num_experts_per_tok": 5)")).find("from 1 to 4") != std::string::npos);
  CHECK(refusal(llama(R"(, "decoder_sparse_step": 2)")).find("decoder_sparse_step") != std::string::npos);
  CHECK(refusal(llama(R"(, "mamba_d_state": 16)")).find("state instead of a KV cache") != std::string::npos);
  CHECK(refusal(llama(R"(, "layer_types": ["linear_attention"])")).find("layer_types[0]") != std::string::npos);
  CHECK(refusal(R"({"hidden_size": 96, "num_hidden_layers": 5, "num_attention_heads": 6, "num_key_value_heads": 4,
                    "vocab_size": 10})")
            .find("evenly") != std::string::npos);
  CHECK_FALSE(refusal(R"({"hidden_size": 9000000000000000000, "num_hidden_layers": 5})").empty());
}

TEST_CASE("the shape of our own model has as many parameters as its file", "[plan][reader]") {
  const std::filesystem::path folder = STAGECRAFT_SOURCE_DIR "/models/tales-400k";
  const ModelWeights weights = load_weights(folder, read_model_config(folder));
  CHECK(count_parameters(read_model_shape(folder)).total() == weights.parameters);
  CHECK(count_parameters(read_model_shape(folder / "config.json")).total() == weights.parameters);
}

}  // namespace
}  // namespace stagecraft
