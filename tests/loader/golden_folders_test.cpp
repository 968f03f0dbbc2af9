/// @file
/// Folders as other programs wrote them: those of the golden files and the two models of this project.
#include "stages/core/weights.h"
#include "tests/loader/refusal.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

const std::filesystem::path kSource = STAGECRAFT_SOURCE_DIR;
const std::filesystem::path kGolden = kSource / "tests/golden/models";

struct Expected {
  const char* folder;
  const char* architecture;
  int heads, kv_heads, head_dim, window;
  bool tied;
  RopeConfig::Kind rope;
  NumberType type;
  size_t files;
  int64_t parameters;  // elements of all tensors in its files
};

}  // namespace

TEST_CASE("every golden folder of an architecture that we have loads as what it is") {
  using Kind = RopeConfig::Kind;
  const std::vector<Expected> all{
      {"llama", "LlamaForCausalLM", 4, 2, 16, 0, true, Kind::plain, NumberType::bf16, 1, 106816},
      {"llama-fp16", "LlamaForCausalLM", 4, 2, 8, 0, false, Kind::plain, NumberType::fp16, 1, 42144},
      {"llama-mha-untied-fp32", "LlamaForCausalLM", 4, 4, 8, 0, false, Kind::plain, NumberType::fp32, 1, 54688},
      {"llama-rope-linear", "LlamaForCausalLM", 6, 2, 8, 0, true, Kind::linear, NumberType::bf16, 1, 55728},
      {"llama-sharded", "LlamaForCausalLM", 5, 1, 8, 0, false, Kind::plain, NumberType::bf16, 2, 61720},
      {"llama3-rope-scaling", "LlamaForCausalLM", 4, 1, 16, 0, true, Kind::llama3, NumberType::bf16, 1, 88384},
      {"mistral", "MistralForCausalLM", 4, 2, 16, 16, false, Kind::plain, NumberType::bf16, 1, 104208},
      {"qwen2", "Qwen2ForCausalLM", 4, 2, 8, 0, true, Kind::plain, NumberType::bf16, 1, 47200},
      {"qwen2-yarn", "Qwen2ForCausalLM", 4, 2, 16, 0, true, Kind::yarn, NumberType::bf16, 1, 79936},
      {"qwen3", "Qwen3ForCausalLM", 4, 2, 16, 0, true, Kind::plain, NumberType::bf16, 1, 72856},
  };
  for (const Expected& expected : all) {
    INFO(expected.folder);
    const ModelConfig config = read_model_config(kGolden / expected.folder);
    CHECK(config.architecture == expected.architecture);
    CHECK(config.heads == expected.heads);
    CHECK(config.kv_heads == expected.kv_heads);
    CHECK(config.head_dim == expected.head_dim);
    CHECK(config.window == expected.window);
    CHECK(config.tied_head == expected.tied);
    CHECK(config.rope.kind == expected.rope);
    const ModelWeights weights = load_weights(kGolden / expected.folder, config);
    CHECK(weights.type == expected.type);
    CHECK(weights.files.size() == expected.files);
    CHECK(weights.parameters == expected.parameters);
    CHECK(weights.warnings.empty());
  }
}

TEST_CASE("mixtures of experts are refused by name") {
  const auto refuse = [](const char* folder, const char* name) {
    const std::string hint =
        require_refusal([&] { read_model_config(kGolden / folder); }, {"architectures", name, "Qwen3ForCausalLM"});
    CHECK(hint.find("mixtures of experts") != std::string::npos);
  };
  refuse("mixtral", "MixtralForCausalLM");
  refuse("qwen3-moe", "Qwen3MoeForCausalLM");
}

TEST_CASE("the models of this project load") {
  for (const auto& [name, parameters] : {std::pair{"tales-5m", 4951296}, std::pair{"tales-400k", 399840}}) {
    const std::filesystem::path folder = kSource / "models" / name;
    const ModelConfig config = read_model_config(folder);
    const ModelWeights weights = load_weights(folder, config);
    CHECK(config.end_of_text == std::vector<TokenId>{0});
    CHECK(weights.parameters == parameters);
    CHECK(weights.warnings.empty());
  }
}
