// must fail: lab06.t5.c4: length
// Longer and longer until it gains no more: a step in the cost hides what comes behind it, and of equal ones the last counts.
// >>> LAB lab06.t5/best_length
int best = 0;
double best_gain = 1.0;
for (int length = 1; length < int(verify_cost.size()); ++length) {
  const double gain = speed_up(acceptance, length, {draft_token, verify_cost[size_t(length)]});
  if (gain < best_gain) break;
  best = length;
  best_gain = gain;
}
return best;
// <<< LAB lab06.t5/best_length
