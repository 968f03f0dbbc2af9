#pragma once
/// @file
/// All that a prompt leaves behind when it is computed in chunks: its logits and its keys and values.
#include <cstring>
#include <limits>
#include <vector>

#include "stages/core/prompt_logits.h"
#include "tests/stages/test_model.h"

namespace stagecraft::testing {

inline constexpr int64_t kWholePrompt = std::numeric_limits<int64_t>::max();

struct ComputedPrompt {
  std::vector<float> logits;  // (positions, vocabulary)
  std::vector<std::byte> kv;  // all of the pool, NaN where nothing was written
};

inline ComputedPrompt compute_prompt(TestModel& on, const std::vector<TokenId>& prompt, int64_t chunk,
                                     NumberType type) {
  constexpr int64_t kUnused = 9;
  KvPool pool = on.poisoned_pool(type, int64_t(prompt.size()) + kUnused);
  ComputedPrompt computed;
  computed.logits = prompt_logits(on.model(), pool, prompt, chunk);
  computed.kv = bytes_of_pool(on.device(), pool);
  return computed;
}

inline bool same_logits(const ComputedPrompt& a, const ComputedPrompt& b) {
  return a.logits.size() == b.logits.size() &&
         std::memcmp(a.logits.data(), b.logits.data(), a.logits.size() * sizeof(float)) == 0;
}

}  // namespace stagecraft::testing
