#pragma once
/// @file
/// Logits of all positions of a prompt: what --logits writes, and what tests compare with the golden files.
#include <vector>

#include "stages/core/model.h"

namespace stagecraft {

/// Computes `prompt` in passes of at most `chunk` tokens; the bits do not depend on it. `pool` has at least as many
/// slots as the prompt has tokens. Returns (positions, vocabulary).
std::vector<float> prompt_logits(Model& model, KvPool& pool, const std::vector<TokenId>& prompt, int64_t chunk);

}  // namespace stagecraft
