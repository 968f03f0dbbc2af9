#pragma once
/// @file
/// When does drafting pay? The arithmetic of Leviathan et al. 2023 (arXiv 2211.17192), with a verifier that is not free.
///
/// A step drafts k tokens, each accepted with probability a if all before it were. Times are in units of a target pass
/// of one row: a drafted token costs c, and the pass that verifies k + 1 rows costs v (1 where it is bound by reading
/// the weights; towards k + 1 where it is bound by arithmetic, as in large batches: there speculation loses).
///
///     tokens a step   1 + a + ... + a^k = (1 - a^(k+1)) / (1 - a)
///     time a step     k c + v
///     speed-up        their quotient
#include <cmath>
#include <functional>
#include <optional>

namespace stagecraft {

/// Tokens that a target call yields on average. `acceptance` in [0, 1]; `length`, of the draft, at least 0.
inline double tokens_per_call(double acceptance, int length) {
  if (acceptance >= 1.0) return length + 1;
  return (1.0 - std::pow(acceptance, length + 1)) / (1.0 - acceptance);
}

/// What a step with a draft of some length costs, relative to a target pass of one row.
struct StepCost {
  double per_draft_token = 0;  // c
  double verify = 1;           // v, of k + 1 rows

  double of(int length) const { return length * per_draft_token + verify; }
};

/// How many times as fast as without drafts; below 1 is a loss.
inline double speed_up(double acceptance, int length, const StepCost& cost) {
  return tokens_per_call(acceptance, length) / cost.of(length);
}

/// The acceptance from which drafts of `length` pay. Nothing if they lose even when all is accepted.
inline std::optional<double> break_even_acceptance(int length, const StepCost& cost) {
  constexpr int kHalvings = 52;  // to the last bit
  if (speed_up(1.0, length, cost) < 1.0) return std::nullopt;
  double losing = 0.0, paying = 1.0;
  if (speed_up(losing, length, cost) >= 1.0) return losing;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (losing + paying) / 2;
    (speed_up(middle, length, cost) < 1.0 ? losing : paying) = middle;
  }
  return paying;
}

struct BestLength {
  int length = 0;  // 0: not drafting is best
  double speed_up = 1;
};

/// The best of the lengths 0 to `longest`; `verify_cost(k)` is v for k drafted tokens.
inline BestLength best_length(double acceptance, double per_draft_token, int longest,
                              const std::function<double(int)>& verify_cost) {
  BestLength best;
  for (int length = 1; length <= longest; ++length) {
    const double gain = speed_up(acceptance, length, {per_draft_token, verify_cost(length)});
    if (gain > best.speed_up) best = {length, gain};
  }
  return best;
}

}  // namespace stagecraft
