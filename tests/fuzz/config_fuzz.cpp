/// @file
/// Any bytes as a config.json. They may be refused by BadInput; a configuration that is accepted must be one that the
/// engine can run: sizes positive and dividing each other, ids in range, a RoPE table of finite numbers.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "kernels/check.h"
#include "stages/core/model_config.h"
#include "stages/core/rope_table.h"

namespace stagecraft {
namespace {

void check_config(const ModelConfig& config) {
  check(config.hidden_size > 0 && config.intermediate_size > 0 && config.layers > 0, "sizes are positive");
  check(config.kv_heads > 0 && config.heads % config.kv_heads == 0, "key heads divide query heads");
  check(config.head_dim > 0 && config.head_dim % 2 == 0 && config.head_dim <= 256,
        "head_dim is even and not too large");
  check(config.vocabulary > 0 && config.context > 0 && config.window >= 0, "vocabulary, context and window are sane");
  check(config.rms_norm_epsilon > 0.0f && std::isfinite(config.rms_norm_epsilon), "epsilon is a positive number");
  check(config.kv_bytes_per_token(NumberType::fp32) > 0, "the KV size of a token does not overflow");
  for (const TokenId id : config.end_of_text) check(id >= 0 && id < config.vocabulary, "end-of-text ids are tokens");
}

void check_rope(const ModelConfig& config) {
  constexpr int64_t kPositions = 3;
  const RopeTable table = make_rope_table(config.rope, config.head_dim, kPositions);
  check(table.cosines.size() == size_t(kPositions * config.head_dim / 2), "the table has a row for each position");
  for (const float value : table.cosines) check(std::isfinite(value), "cosines are finite");
  for (const float value : table.sines) check(std::isfinite(value), "sines are finite");
}

}  // namespace
}  // namespace stagecraft

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const stagecraft::ModelConfig config = stagecraft::parse_model_config(text, "fuzz");
    stagecraft::check_config(config);
    stagecraft::check_rope(config);
  } catch (const stagecraft::BadInput&) {
  }
  return 0;
}
