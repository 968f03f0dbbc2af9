#pragma once
/// @file
/// A drafter that has read the end of the book: it is given the true continuations and drafts right or wrong on purpose.
/// Tests and labs use it to put every case before the verifier, and to measure what drafting gains at a known acceptance.
///
/// | script         | of k drafted tokens                          | target calls for n tokens            |
/// |----------------|----------------------------------------------|--------------------------------------|
/// | oracle         | all are right                                | n / (k + 1)                          |
/// | always_wrong   | none is right                                | n: the drafts are work for nothing   |
/// | accept_first   | the first `right` are right, the others wrong | n / (right + 1)                     |
/// | random         | any ids of the vocabulary                    | about n                              |
/// | empty          | there are none                               | n                                    |
#include <unordered_map>

#include "stages/6_speculative_decoding/drafter.h"

namespace stagecraft {

struct Script {
  enum class Kind { oracle, always_wrong, accept_first, random, empty };

  Kind kind = Kind::oracle;
  int right = 0;      // accept_first
  uint64_t seed = 0;  // random
};

/// By request id: the prompt and all that follows it when nothing is drafted.
using TrueTokens = std::unordered_map<int, std::vector<TokenId>>;

class ScriptedDrafter final : public Drafter {
 public:
  /// `vocabulary`: of the target, at least 2, or no id is wrong. Throws BadInput otherwise, or if `right` is negative.
  ScriptedDrafter(const Script& script, TrueTokens truth, int64_t vocabulary);

  /// Requests without a known truth, and what lies past its end, get no draft (but for `random`, which needs none).
  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) override;
  std::string describe() const override;

 private:
  Draft draft_for(const Request& request, int length) const;
  Draft random_draft(const Request& request, int length) const;
  bool is_right(int index) const;

  Script script_;
  TrueTokens truth_;
  int64_t vocabulary_;
};

}  // namespace stagecraft
