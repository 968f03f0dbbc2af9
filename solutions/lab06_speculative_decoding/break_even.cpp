/// @file
/// Lab 6, task 5: the arithmetic of speculation. The contract: labs/lab06_speculative_decoding/include/speculation.h.
#include "labs/support/todo.h"
#include "speculation.h"

namespace lab06 {

double tokens_per_call(double acceptance, int length) {
  // >>> LAB lab06.t5/tokens  about 6 lines   (edit only between the arrows)
  // TODO(lab06.t5): the draft's token i is right with probability acceptance^i, and one more token comes in any case.
  double tokens = 1.0, all_right = 1.0;
  for (int i = 0; i < length; ++i) {
    all_right *= acceptance;
    tokens += all_right;
  }
  return tokens;
  // <<< LAB lab06.t5/tokens
}

double speed_up(double acceptance, int length, const StepCost& cost) {
  // >>> LAB lab06.t5/speed_up  about 1 line   (edit only between the arrows)
  // TODO(lab06.t5): without drafts a token takes the time of one pass.
  return tokens_per_call(acceptance, length) / (length * cost.draft_token + cost.verify);
  // <<< LAB lab06.t5/speed_up
}

std::optional<double> break_even_acceptance(int length, const StepCost& cost) {
  // >>> LAB lab06.t5/break_even  about 9 lines   (edit only between the arrows)
  // TODO(lab06.t5): the speed-up grows with the acceptance, so halve the interval in which it passes 1. Is there one?
  if (speed_up(1.0, length, cost) < 1.0) return std::nullopt;
  if (speed_up(0.0, length, cost) >= 1.0) return 0.0;
  double losing = 0.0, paying = 1.0;
  for (int halving = 0; halving < 52; ++halving) {  // as many as a double has bits
    const double middle = (losing + paying) / 2;
    (speed_up(middle, length, cost) < 1.0 ? losing : paying) = middle;
  }
  return paying;
  // <<< LAB lab06.t5/break_even
}

int best_length(double acceptance, double draft_token, std::span<const double> verify_cost) {
  // >>> LAB lab06.t5/best_length  about 8 lines   (edit only between the arrows)
  // TODO(lab06.t5): try all lengths from 1 on against not drafting.
  int best = 0;
  double best_gain = 1.0;
  for (int length = 1; length < int(verify_cost.size()); ++length) {
    const double gain = speed_up(acceptance, length, {draft_token, verify_cost[size_t(length)]});
    if (gain <= best_gain) continue;
    best = length;
    best_gain = gain;
  }
  return best;
  // <<< LAB lab06.t5/best_length
}

}  // namespace lab06
