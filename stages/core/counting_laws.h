#pragma once
/// @file
/// What a run must have counted, from lengths alone. A stage prints law and count side by side; where they differ, the
/// stage has a bug. (p: prompt tokens, n: output tokens.)
///
/// | law                    | formula                                                                         |
/// |------------------------|---------------------------------------------------------------------------------|
/// | naive decoding         | p + (p + 1) + ... + (p + n - 1)  =  n p + n (n - 1) / 2                         |
/// | with a KV cache        | p + n - 1: the last token drawn is never fed back                               |
/// | K/V of a token         | 2 x layers x kv_heads x head_dim x bytes, see ModelConfig::kv_bytes_per_token   |
/// | padding, static batch  | 1 - sum(lengths) / (batch x longest)                                            |
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include "kernels/check.h"

namespace stagecraft {

/// Tokens that naive decoding forwards for `output` tokens after `prompt`: every pass starts from nothing.
constexpr int64_t naive_tokens_forwarded(int64_t prompt, int64_t output) {
  return output * prompt + output * (output - 1) / 2;
}

/// Tokens that are forwarded when K and V are kept: each token once, the last one drawn not at all.
constexpr int64_t cached_tokens_forwarded(int64_t prompt, int64_t output) {
  return output == 0 ? 0 : prompt + output - 1;
}

/// The share of the slots of a static batch that hold no token, in [0, 1).
inline double static_padding_share(std::span<const int64_t> lengths) {
  check(!lengths.empty(), "a batch has at least one sequence");
  const int64_t longest = *std::max_element(lengths.begin(), lengths.end());
  check(longest > 0, "the longest sequence of a batch has at least one token");
  const int64_t used = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
  return 1.0 - double(used) / (double(lengths.size()) * double(longest));
}

}  // namespace stagecraft
