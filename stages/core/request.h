#pragma once
/// @file
/// One request: a prompt, how to continue it, and how far it has come.
///
/// A request knows its tokens and how many of them the KV store already holds. What is pending is the difference; there
/// is no prefill phase and no decode phase, only catching up. What the six stages change is how much is pending.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft {

/// How the next token is drawn. Defaults are greedy.
struct SamplingParams {
  float temperature = 0.0f;
  int32_t top_k = kNoTopK;
  float top_p = 1.0f;
  uint64_t seed = 0;
};

enum class FinishReason { length, stop, cancelled, refused };

struct Request {
  int id = 0;
  std::vector<TokenId> tokens;    // the prompt, then what was generated
  int64_t prompt_tokens = 0;      // how many of them are the prompt
  int64_t max_tokens = 0;         // at most this many are generated
  std::vector<std::string> stop;  // texts that end it; they are not part of the output
  SamplingParams sampling;
  std::optional<int> sample_of;  // another request with this prompt, whose K/V it may share (n samples of one prompt)

  std::vector<TokenId> draft;  // guesses of what follows `tokens`; empty before stage 6
  int64_t num_computed = 0;    // tokens whose K/V the store holds
  std::optional<FinishReason> finished;

  int64_t preemptions = 0;        // how often it was sent back to the queue
  int64_t prefix_hit_tokens = 0;  // tokens that others had stored already when it was let in

  /// Tokens that are known, and not computed.
  int64_t pending() const { return int64_t(tokens.size()) - num_computed; }
  int64_t generated() const { return int64_t(tokens.size()) - prompt_tokens; }
};

/// "length", "stop", "cancelled" or "refused".
std::string_view name_of(FinishReason reason);

}  // namespace stagecraft
