#pragma once
/// @file
/// What became of the drafts: the counts that a run prints, and the one number that break_even.h asks for.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stagecraft {

class AcceptanceCounts {
 public:
  /// A target call verified a draft of `drafted` tokens; the first `accepted` of them were right.
  void add(size_t drafted, size_t accepted) {
    if (drafted > by_position_.size()) by_position_.resize(drafted);
    for (size_t i = 0; i < drafted; ++i) ++by_position_[i].proposed;
    for (size_t i = 0; i < accepted; ++i) ++by_position_[i].accepted;
    proposed_ += int64_t(drafted);
    accepted_ += int64_t(accepted);
    rejections_ += accepted < drafted ? 1 : 0;
    ++calls_;
  }

  struct Position {
    int64_t proposed = 0, accepted = 0;
  };
  /// Index 0 is the first token of a draft.
  const std::vector<Position>& by_position() const { return by_position_; }

  int64_t proposed() const { return proposed_; }
  int64_t accepted() const { return accepted_; }
  /// A call adds a token to those that it accepts. 0 before the first call.
  double tokens_per_call() const { return calls_ ? double(accepted_ + calls_) / double(calls_) : 0; }

  /// How often a token was right if all before it were: the `a` of break_even.h. What lies behind a rejection was not
  /// judged and does not count, so this is more than accepted / proposed.
  double acceptance() const {
    const int64_t judged = accepted_ + rejections_;
    return judged ? double(accepted_) / double(judged) : 0;
  }

 private:
  std::vector<Position> by_position_;
  int64_t proposed_ = 0, accepted_ = 0, rejections_ = 0, calls_ = 0;
};

}  // namespace stagecraft
