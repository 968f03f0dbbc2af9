#pragma once
/// @file
/// A distribution over token ids, with its probabilities written out. The main verifier never needs one; rejection
/// sampling (rejection_sampling.h) compares two: p, what the target would draw from, and q, what the draft was drawn
/// from. Both are the distributions *after* temperature, top-k and top-p.
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft {

class Distribution {
 public:
  struct Part {
    TokenId id;
    double probability;
  };

  /// Nothing can be drawn from it.
  Distribution() = default;

  /// All of it on one token: the distribution of a drafter that does not roll dice.
  static Distribution certain(TokenId id) { return Distribution({{id, 1.0}}); }

  /// Proportional to `weights`, which are not negative; ids may come in any order, none twice. Empty if all are zero.
  static Distribution proportional_to(std::vector<Part> weights);

  /// What the canonical sampler (kernels/sampling.h) draws from for one row of logits: the same candidates, their
  /// probabilities in its integer units. A token less likely than 2^-31 of the likeliest has none. Empty where the
  /// logits hold a NaN or no finite value.
  static Distribution of_logits(const float* logits,  // (vocabulary)
                                int vocabulary, const SamplingRow& how);

  bool empty() const { return parts_.empty(); }

  /// Tokens with a positive probability, by increasing id. The probabilities sum to 1 but for rounding.
  const std::vector<Part>& parts() const { return parts_; }

  /// Of one token; 0 for those that cannot be drawn.
  double of(TokenId id) const;

  /// The token on which `uniform`, in [0, 1), falls when the probabilities are laid side by side. Must not be empty.
  TokenId draw(double uniform) const;

 private:
  explicit Distribution(std::vector<Part> parts) : parts_(std::move(parts)) {}

  std::vector<Part> parts_;
};

/// Half of the sum of all differences: the largest difference that any event's probability can have.
double total_variation(const Distribution& a, const Distribution& b);

}  // namespace stagecraft
