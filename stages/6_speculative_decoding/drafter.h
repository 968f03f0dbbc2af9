#pragma once
/// @file
/// A drafter guesses how requests go on. Its guesses cost little, and the target checks all of them in one pass: rows
/// for the last committed token and for each of the k drafted ones, hence k + 1 rows of logits.
///
///     tokens   [the prompt ... and what was generated]      committed: never changes any more
///     draft                                           [? ? ?]
///     drawn                                          [a b c d]    what the target samples after each row
///
/// Whatever is guessed, the main verifier (verification.h) keeps only what the target would have sampled anyway, so a
/// drafter decides how fast a text comes and never what it says (EXACTNESS R9).
///
/// | drafter         | guesses                                          | needs                          |
/// |-----------------|--------------------------------------------------|--------------------------------|
/// | NgramDrafter    | what followed the last tokens when they came last | text that repeats itself      |
/// | ModelDrafter    | what a small model says                          | a model of the same tokenizer  |
/// | ScriptedDrafter | what a test or a lab tells it to                 | the answer                     |
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "stages/6_speculative_decoding/distribution.h"
#include "stages/core/request.h"

namespace stagecraft {

/// Guesses of what follows a request's tokens. Rejection sampling is right only if it judges a token by the very
/// distribution that it was drawn from, so the two travel together.
struct Draft {
  std::vector<TokenId> tokens;
  std::vector<Distribution> drawn_from;  // (tokens), or empty: no dice were rolled, each token was certain

  size_t size() const { return tokens.size(); }
  /// Keeps the first `count` tokens, if there are more.
  void cut(size_t count);
};

/// What drafting has cost so far; all zero for a drafter that runs no model.
struct DraftWork {
  int64_t passes = 0;  // forward passes of the draft model
  int64_t rows = 0;    // tokens in them
  std::chrono::nanoseconds time{0};
};

class Drafter {
 public:
  virtual ~Drafter() = default;

  /// At most lengths[i] tokens that may follow the committed tokens of requests[i]; fewer or none if it has no idea. All
  /// requests of a step at once, so that a draft model can batch them. Reads id, tokens and sampling of a request.
  virtual std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) = 0;

  /// `request` has ended or was preempted: what is kept for it can go. It may come back, with more tokens.
  virtual void forget(const Request&) {}

  /// For people, such as "n-grams of 1 to 3 tokens".
  virtual std::string describe() const = 0;

  virtual DraftWork work() const { return {}; }
};

/// How many of the first tokens of `draft` the verifiers may look at, for a target of `vocabulary` ids: up to the first
/// that is outside. Where tokens were drawn at random it is their *distribution* that must stay inside: to cut where an
/// unlucky token fell would favour the lucky ones, and the output's distribution would no longer be the target's. None
/// if tokens and distributions do not belong together: an impossible token, or not one distribution a token.
size_t usable_prefix(const Draft& draft, int64_t vocabulary);

}  // namespace stagecraft
