#pragma once
/// @file
/// How many tokens to draft. A long draft wastes rows where guesses fail early, a short one wastes calls where they hold.
///
/// Fixed: always `length`. Adaptive: each request has a length of its own, which begins at `length`;
///
///     all k drafted tokens accepted     k + 2, at most `most`
///     a rejection                       k - 1, at least 1
///     fewer than k drafted, none wrong  k: no evidence that longer drafts would hold
///
/// If a token is accepted with probability a, a draft of k holds with a^k, so k settles where 2 a^k = 1 - a^k, at
/// a^k = 1/3, and in the mean a little above: at 2.3 for a = 0.5, 5.4 for 0.8, 10.9 for 0.9. The best lengths for a drafter
/// of a tenth of the target's cost are 2, 6 and 10 (break_even.h), so nothing needs to be measured.
#include <unordered_map>

#include "stages/core/request.h"

namespace stagecraft {

struct DraftLengthOptions {
  static constexpr int kLongest = 64;

  bool adaptive = false;
  int length = 4;  // fixed, or to begin with
  int most = 16;   // of adaptive ones
};

class DraftLength {
 public:
  /// Throws BadInput unless 1 <= length <= kLongest and, if adaptive, length <= most <= kLongest.
  explicit DraftLength(const DraftLengthOptions& options);

  /// Tokens to draft for `request` now. Never more than it may still generate but one: the last row gives a token anyway.
  int next(const Request& request) const;

  /// Of `drafted` tokens of `request`, `accepted` were right.
  void observe(const Request& request, int drafted, int accepted);

  /// `request` has ended.
  void forget(const Request& request) { lengths_.erase(request.id); }

 private:
  int length_of(const Request& request) const;

  DraftLengthOptions options_;
  std::unordered_map<int, int> lengths_;  // by request id; absent: as at the beginning
};

}  // namespace stagecraft
