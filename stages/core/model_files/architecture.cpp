/// @file
/// Table of architectures and the choice among them.
#include "stages/core/model_files/architecture.h"

#include <algorithm>
#include <array>
#include <string>

namespace stagecraft {
namespace {

constexpr std::array<Architecture, 4> kArchitectures{{
    // name, model_type, always_qkv_bias, reads_attention_bias, reads_mlp_bias, qk_norm, window, default_head_dim
    {"LlamaForCausalLM", "llama", false, true, true, false, WindowRule::never, kImpliedHeadDim},
    {"MistralForCausalLM", "mistral", false, false, false, false, WindowRule::size, kImpliedHeadDim},
    {"Qwen2ForCausalLM", "qwen2", true, false, false, false, WindowRule::switched, kImpliedHeadDim},
    {"Qwen3ForCausalLM", "qwen3", false, true, false, true, WindowRule::switched, 128},
}};

std::string hint_for(const std::string& name) {
  const bool mixture = name.find("Moe") != std::string::npos || name.find("Mixtral") != std::string::npos;
  if (mixture) return "mixtures of experts are not supported: take a dense model of the same family";
  return "take a model of one of these architectures";
}

}  // namespace

const Architecture& read_architecture(const JsonField& config) {
  const JsonField names = config.at("architectures");
  if (names.array().size() != 1) names.fail("must name exactly one architecture");
  const JsonField name = names.at(0);

  const auto found = std::find_if(kArchitectures.begin(), kArchitectures.end(),
                                  [&](const Architecture& known) { return known.name == name.text(); });
  if (found == kArchitectures.end()) {
    std::string list;
    for (const Architecture& known : kArchitectures) list += (list.empty() ? "" : ", ") + std::string(known.name);
    name.fail("must be one of " + list, hint_for(name.text()));
  }
  const auto model_type = config.find("model_type");
  if (model_type && model_type->text() != found->model_type) {
    model_type->fail(fmt::format("must be \"{}\" for {}", found->model_type, found->name));
  }
  return *found;
}

}  // namespace stagecraft
