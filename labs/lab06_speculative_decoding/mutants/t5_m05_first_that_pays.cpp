// must fail: lab06.t5.c4: length
// The first length that pays is taken for the best.
// >>> LAB lab06.t5/best_length
for (int length = 1; length < int(verify_cost.size()); ++length) {
  if (speed_up(acceptance, length, {draft_token, verify_cost[size_t(length)]}) > 1.0) return length;
}
return 0;
// <<< LAB lab06.t5/best_length
