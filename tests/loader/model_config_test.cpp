/// @file
/// What config.json says, in each of its spellings.
#include "stages/core/model_config.h"

#include <cmath>

#include "tests/loader/refusal.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

ModelConfig parse(const nlohmann::json& config) { return parse_model_config(config.dump(), "config.json"); }

/// The tiny configuration of `architecture` with some fields set otherwise.
ModelConfig parse_with(const nlohmann::json& changes, const std::string& architecture = "LlamaForCausalLM") {
  nlohmann::json config = tiny_config(architecture);
  config.update(changes);
  return parse(config);
}

ModelConfig parse_without(const std::string& field, const std::string& architecture = "LlamaForCausalLM") {
  nlohmann::json config = tiny_config(architecture);
  config.erase(field);
  return parse(config);
}

}  // namespace

TEST_CASE("sizes are read") {
  const ModelConfig model = parse(tiny_config());
  CHECK(model.architecture == "LlamaForCausalLM");
  CHECK(model.hidden_size == 24);
  CHECK(model.intermediate_size == 40);
  CHECK(model.layers == 2);
  CHECK(model.heads == 4);
  CHECK(model.kv_heads == 2);
  CHECK(model.head_dim == 8);
  CHECK(model.vocabulary == 40);
  CHECK(model.context == 64);
  CHECK(model.rms_norm_epsilon == 1e-5f);
  CHECK(model.window == kNoWindow);
  CHECK(model.kv_bytes_per_token(NumberType::bf16) == 2 * 2 * 2 * 8 * 2);
}

TEST_CASE("key heads are as many as query heads where the file does not say") {
  CHECK(parse_without("num_key_value_heads").kv_heads == 4);
  CHECK(parse_with({{"num_key_value_heads", nullptr}}).kv_heads == 4);
  CHECK(parse_with({{"num_key_value_heads", 1}}).kv_heads == 1);
}

TEST_CASE("head_dim is explicit, implied by the hidden size, or the architecture's own") {
  CHECK(parse_with({{"head_dim", 256}}).head_dim == 256);
  CHECK(parse_without("head_dim").head_dim == 6);
  CHECK(parse_with({{"head_dim", nullptr}}).head_dim == 6);
  CHECK(parse_without("head_dim", "Qwen3ForCausalLM").head_dim == 128);
}

TEST_CASE("biases and norms follow the architecture and its switches") {
  const auto biases = [](const ModelConfig& model) {
    return std::vector<bool>{model.qkv_bias, model.output_bias, model.mlp_bias, model.qk_norm};
  };
  using Expected = std::vector<bool>;
  CHECK(biases(parse(tiny_config("LlamaForCausalLM"))) == Expected{false, false, false, false});
  CHECK(biases(parse_with({{"attention_bias", true}})) == Expected{true, true, false, false});
  CHECK(biases(parse_with({{"mlp_bias", true}})) == Expected{false, false, true, false});
  CHECK(biases(parse(tiny_config("MistralForCausalLM"))) == Expected{false, false, false, false});
  CHECK(biases(parse(tiny_config("Qwen2ForCausalLM"))) == Expected{true, false, false, false});
  CHECK(biases(parse(tiny_config("Qwen3ForCausalLM"))) == Expected{false, false, false, true});
  CHECK(biases(parse_with({{"attention_bias", true}}, "Qwen3ForCausalLM")) == Expected{true, true, false, true});
}

TEST_CASE("end of text is a number, a list, or nothing") {
  CHECK(parse_with({{"eos_token_id", 7}}).end_of_text == std::vector<TokenId>{7});
  CHECK(parse_with({{"eos_token_id", {3, 39}}}).end_of_text == std::vector<TokenId>{3, 39});
  CHECK(parse_with({{"eos_token_id", nlohmann::json::array()}}).end_of_text.empty());
  CHECK(parse_with({{"eos_token_id", nullptr}}).end_of_text.empty());
  CHECK(parse_without("eos_token_id").end_of_text.empty());
}

TEST_CASE("generation_config.json goes before config.json for the end of text") {
  const TemporaryFolder folder;
  write_file(folder.path() / "config.json", tiny_config().dump());
  CHECK(read_model_config(folder.path()).end_of_text == std::vector<TokenId>{0});
  write_file(folder.path() / "generation_config.json", R"({"temperature": 0.6})");
  CHECK(read_model_config(folder.path()).end_of_text == std::vector<TokenId>{0});
  write_file(folder.path() / "generation_config.json", R"({"eos_token_id": [5, 9]})");
  CHECK(read_model_config(folder.path()).end_of_text == std::vector<TokenId>{5, 9});
  write_file(folder.path() / "generation_config.json", R"({"eos_token_id": 40})");
  require_refusal([&] { read_model_config(folder.path()); }, {"generation_config.json", "eos_token_id", "40"});
}

TEST_CASE("a head is tied only where the file says so") {
  CHECK_FALSE(parse_without("tie_word_embeddings").tied_head);
  CHECK(parse_with({{"tie_word_embeddings", true}}).tied_head);
}

TEST_CASE("element types are accepted under either name") {
  for (const char* name : {"bfloat16", "float16", "float32"}) {
    CHECK_NOTHROW(parse_with({{"torch_dtype", name}}));
    CHECK_NOTHROW(parse_with({{"dtype", name}}));
  }
  CHECK_NOTHROW(parse_with({{"torch_dtype", nullptr}}));
}

TEST_CASE("fields that do not concern us are passed over") {
  CHECK_NOTHROW(parse_with({{"use_cache", true},
                            {"transformers_version", "4.40"},
                            {"model_type", "llama"},
                            {"quantization_config", nullptr},
                            {"rope_scaling", nullptr},
                            {"partial_rotary_factor", 1.0},
                            {"pretraining_tp", 1},
                            {"sliding_window", nullptr}}));
}

TEST_CASE("Mistral's window is honoured; null is none, absent is its default") {
  CHECK(parse_with({{"sliding_window", 16}}, "MistralForCausalLM").window == 16);
  CHECK(parse_with({{"sliding_window", nullptr}}, "MistralForCausalLM").window == kNoWindow);
  CHECK(parse_without("sliding_window", "MistralForCausalLM").window == 4096);
}

TEST_CASE("Qwen's window counts only when it is switched on, for all layers") {
  for (const char* qwen : {"Qwen2ForCausalLM", "Qwen3ForCausalLM"}) {
    CHECK(parse_with({{"sliding_window", 8}, {"max_window_layers", 0}}, qwen).window == kNoWindow);
    const auto window_from = [&](int layer) {
      return parse_with({{"sliding_window", 8}, {"use_sliding_window", true}, {"max_window_layers", layer}}, qwen)
          .window;
    };
    CHECK(window_from(0) == 8);
    CHECK(window_from(2) == kNoWindow);  // from layer 2 of 2: none
    require_refusal([&] { window_from(1); }, {"max_window_layers", "1"});
  }
}

TEST_CASE("layer_types must agree with the window") {
  const nlohmann::json full = {"full_attention", "full_attention"},
                       sliding = {"sliding_attention", "sliding_attention"};
  const nlohmann::json mixed = {"full_attention", "sliding_attention"};
  CHECK(parse_with({{"layer_types", full}}).window == kNoWindow);
  CHECK(parse_with({{"layer_types", sliding}, {"sliding_window", 16}}, "MistralForCausalLM").window == 16);
  const nlohmann::json on = {{"sliding_window", 8}, {"use_sliding_window", true}, {"max_window_layers", 1}};
  const auto qwen_with = [&](const nlohmann::json& types) {
    nlohmann::json changes = on;
    changes["layer_types"] = types;
    return parse_with(changes, "Qwen2ForCausalLM");
  };
  CHECK(qwen_with(sliding).window == 8);
  CHECK(qwen_with(full).window == kNoWindow);
  require_refusal([&] { qwen_with(mixed); }, {"layer_types[1]", "sliding_attention"});
  require_refusal([&] { parse_with({{"layer_types", sliding}}); }, {"layer_types", "none"});
  require_refusal(
      [&] {
        parse_with({{"layer_types", full}, {"sliding_window", 16}}, "MistralForCausalLM");
      },
      {"layer_types", "16"});
  require_refusal([&] { parse_with({{"layer_types", {"full_attention"}}}); }, {"layer_types", "2 layers"});
  require_refusal(
      [&] {
        parse_with({{"layer_types", {"full_attention", "chunked_attention"}}});
      },
      {"chunked_attention"});
}

TEST_CASE("a tokenizer may have fewer tokens than the model has rows, never more") {
  const ModelConfig model = parse(tiny_config());
  CHECK_NOTHROW(check_vocabulary(40, model));
  CHECK_NOTHROW(check_vocabulary(39, model));
  require_refusal([&] { check_vocabulary(41, model); }, {"41", "40"});
}
