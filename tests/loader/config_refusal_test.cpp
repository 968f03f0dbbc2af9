/// @file
/// A config.json that is damaged, out of range, or asks for arithmetic that is not there is refused by field and value.
#include "stages/core/model_config.h"
#include "tests/loader/refusal.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

void refuse_with(const nlohmann::json& changes, std::initializer_list<std::string_view> parts,
                 const std::string& architecture = "LlamaForCausalLM") {
  nlohmann::json config = tiny_config(architecture);
  config.update(changes);
  INFO(config.dump());
  require_refusal([&] { parse_model_config(config.dump(), "config.json"); }, parts);
}

}  // namespace

TEST_CASE("a folder that is not there, no folder, or without config.json is refused") {
  const TemporaryFolder folder;
  require_refusal([&] { read_model_config(folder.path() / "absent"); }, {"absent", "no such folder"});
  write_file(folder.path() / "file", "");
  require_refusal([&] { read_model_config(folder.path() / "file"); }, {"file", "not a model folder"});
  require_refusal([&] { read_model_config(folder.path()); }, {"config.json"});
}

TEST_CASE("broken JSON is refused") {
  for (const char* text : {"", "{", "{\"a\":}", "nonsense", "\xff\xfe", "{\"a\":1e999}"}) {
    require_refusal([&] { parse_model_config(text, "config.json"); }, {"config.json", "broken JSON"});
  }
  require_refusal([&] { parse_model_config("[]", "config.json"); }, {"config.json", "must be an object"});
  require_refusal([&] { parse_model_config("null", "config.json"); }, {"config.json"});
}

TEST_CASE("a field that occurs twice is refused") {
  std::string text = tiny_config().dump();
  text.insert(1, "\"rms_norm_eps\":1e-6,");
  require_refusal([&] { parse_model_config(text, "config.json"); }, {"rms_norm_eps", "twice"});
}

TEST_CASE("each field that decides a shape has to be there") {
  for (const char* field : {"architectures", "hidden_size", "intermediate_size", "num_hidden_layers",
                            "num_attention_heads", "vocab_size", "max_position_embeddings", "rms_norm_eps"}) {
    nlohmann::json config = tiny_config();
    config.erase(field);
    require_refusal([&] { parse_model_config(config.dump(), "config.json"); }, {field, "missing"});
  }
}

TEST_CASE("sizes that are no positive integers of a sane size are refused") {
  for (const char* field : {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                            "num_key_value_heads", "head_dim", "vocab_size", "max_position_embeddings"}) {
    refuse_with({{field, 0}}, {field, "0"});
    refuse_with({{field, -1}}, {field, "-1"});
    refuse_with({{field, 1.5}}, {field, "1.5"});
    refuse_with({{field, "8"}}, {field, "\"8\""});
    refuse_with({{field, 9223372036854775807}}, {field, "9223372036854775807"});
    refuse_with({{field, 18446744073709551615u}}, {field, "18446744073709551615"});
  }
}

TEST_CASE("heads that do not divide are refused") {
  refuse_with({{"num_key_value_heads", 3}}, {"num_key_value_heads", "3", "4"});
  refuse_with({{"num_key_value_heads", 8}}, {"num_key_value_heads", "8", "4"});
  refuse_with({{"head_dim", nullptr}, {"num_attention_heads", 5}, {"num_key_value_heads", 5}},
              {"num_attention_heads", "5", "24"});
  refuse_with({{"head_dim", 7}}, {"head_dim", "7", "even"});
  refuse_with({{"head_dim", 258}}, {"head_dim", "258", "256"});
}

TEST_CASE("an architecture that we do not have is refused, listing those we have") {
  refuse_with({{"architectures", {"GPT2LMHeadModel"}}},
              {"GPT2LMHeadModel", "LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"});
  refuse_with({{"architectures", nlohmann::json::array()}}, {"architectures"});
  refuse_with({{"architectures", "LlamaForCausalLM"}}, {"architectures"});
  refuse_with({{"architectures", {"LlamaForCausalLM", "MistralForCausalLM"}}}, {"architectures", "one"});
  refuse_with({{"model_type", "gemma"}}, {"model_type", "gemma", "llama"});
}

TEST_CASE("arithmetic that we do not have is refused by field and value") {
  refuse_with({{"hidden_act", "gelu"}}, {"hidden_act", "gelu", "silu"});
  refuse_with({{"rms_norm_eps", 0}}, {"rms_norm_eps", "0"});
  refuse_with({{"rms_norm_eps", -1e-5}}, {"rms_norm_eps", "-1e-05"});
  refuse_with({{"rms_norm_eps", 1e-60}}, {"rms_norm_eps", "1e-60"});  // 0 as a float
  refuse_with({{"rms_norm_eps", 2}}, {"rms_norm_eps", "2"});
  refuse_with({{"torch_dtype", "float8_e4m3fn"}}, {"torch_dtype", "float8_e4m3fn"});
  refuse_with({{"dtype", "int8"}}, {"dtype", "int8"});
  refuse_with({{"quantization_config", {{"quant_method", "gptq"}}}}, {"quantization_config"});
  refuse_with({{"partial_rotary_factor", 0.5}}, {"partial_rotary_factor", "0.5"});
}

TEST_CASE("biases that an architecture does not have are refused") {
  refuse_with({{"attention_bias", true}}, {"attention_bias", "MistralForCausalLM"}, "MistralForCausalLM");
  refuse_with({{"mlp_bias", true}}, {"mlp_bias", "Qwen3ForCausalLM"}, "Qwen3ForCausalLM");
  refuse_with({{"attention_bias", "yes"}}, {"attention_bias", "yes"});
}

TEST_CASE("windows that make no sense are refused") {
  refuse_with({{"sliding_window", 16}}, {"sliding_window", "16", "LlamaForCausalLM"});
  refuse_with({{"sliding_window", 0}}, {"sliding_window", "0"}, "MistralForCausalLM");
  refuse_with({{"sliding_window", -4}}, {"sliding_window", "-4"}, "MistralForCausalLM");
  refuse_with({{"sliding_window", 4294967296}}, {"sliding_window", "4294967296"}, "MistralForCausalLM");
  refuse_with({{"use_sliding_window", true}}, {"sliding_window", "missing"}, "Qwen2ForCausalLM");
  refuse_with({{"use_sliding_window", true}, {"sliding_window", 8}}, {"max_window_layers", "missing"},
              "Qwen2ForCausalLM");
}

TEST_CASE("end-of-text ids outside the vocabulary are refused") {
  refuse_with({{"eos_token_id", 40}}, {"eos_token_id", "40", "39"});
  refuse_with({{"eos_token_id", -1}}, {"eos_token_id", "-1"});
  refuse_with({{"eos_token_id", {1, 4294967297}}}, {"eos_token_id[1]", "4294967297"});
  refuse_with({{"eos_token_id", "</s>"}}, {"eos_token_id", "</s>"});
}
