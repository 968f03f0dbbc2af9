/// @file
/// Lab 6, task 5: the arithmetic of speculation. The contract: labs/lab06_speculative_decoding/include/speculation.h.
#include "labs/support/todo.h"
#include "speculation.h"

namespace lab06 {

double tokens_per_call(double acceptance, int length) {
  // >>> LAB lab06.t5/tokens  about 6 lines   (edit only between the arrows)
  // TODO(lab06.t5): the draft's token i is right with probability acceptance^i, and one more token comes in any case.
  LAB_TODO("lab06.t5");
  // <<< LAB lab06.t5/tokens
}

double speed_up(double acceptance, int length, const StepCost& cost) {
  // >>> LAB lab06.t5/speed_up  about 1 line   (edit only between the arrows)
  // TODO(lab06.t5): without drafts a token takes the time of one pass.
  LAB_TODO("lab06.t5");
  // <<< LAB lab06.t5/speed_up
}

std::optional<double> break_even_acceptance(int length, const StepCost& cost) {
  // >>> LAB lab06.t5/break_even  about 9 lines   (edit only between the arrows)
  // TODO(lab06.t5): the speed-up grows with the acceptance, so halve the interval in which it passes 1. Is there one?
  LAB_TODO("lab06.t5");
  // <<< LAB lab06.t5/break_even
}

int best_length(double acceptance, double draft_token, std::span<const double> verify_cost) {
  // >>> LAB lab06.t5/best_length  about 8 lines   (edit only between the arrows)
  // TODO(lab06.t5): try all lengths from 1 on against not drafting.
  LAB_TODO("lab06.t5");
  // <<< LAB lab06.t5/best_length
}

}  // namespace lab06
