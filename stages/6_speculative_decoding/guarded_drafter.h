#pragma once
/// @file
/// The engine's side of a drafter that it need not trust. A draft is an offer, so whatever goes wrong costs time and
/// nothing else: the step goes on with what is left of the draft, and the fault is counted.
///
/// | the drafter ...                              | what happens                                              |
/// |----------------------------------------------|-----------------------------------------------------------|
/// | throws, or returns too many or too few drafts | no drafts in this step; it is told to forget the requests |
/// | does so 3 steps in a row                     | it is not asked again                                     |
/// | drafts more tokens than it was asked for     | the rest is cut off                                       |
/// | drafts an id outside the target's vocabulary | cut off there (usable_prefix)                             |
#include <optional>

#include "stages/6_speculative_decoding/drafter.h"

namespace stagecraft {

struct DraftFaults {
  int64_t failures = 0;       // calls that failed
  int64_t tokens_cut = 0;     // because they were too many, or unusable
  std::string first_failure;  // what the first failure said
};

class GuardedDrafter final : public Drafter {
 public:
  static constexpr int kFailuresBeforeGivingUp = 3;  // in a row

  /// `drafter` must outlive this. `vocabulary`: of the target.
  GuardedDrafter(Drafter& drafter, int64_t vocabulary) : drafter_(drafter), vocabulary_(vocabulary) {}

  /// Never throws what the drafter throws. One draft a request, each usable from its first to its last token.
  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) override;
  void forget(const Request& request) override;
  std::string describe() const override { return drafter_.describe(); }
  DraftWork work() const override { return drafter_.work(); }

  const DraftFaults& faults() const { return faults_; }
  bool gave_up() const { return failures_in_a_row_ >= kFailuresBeforeGivingUp; }
  /// A line for people about what went wrong; nothing if all went well.
  std::optional<std::string> complaint() const;

 private:
  void failed(std::string reason);

  Drafter& drafter_;
  int64_t vocabulary_;
  int failures_in_a_row_ = 0;
  DraftFaults faults_;
};

}  // namespace stagecraft
