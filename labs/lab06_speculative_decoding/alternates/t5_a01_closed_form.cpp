// must pass: lab06.t5
// The closed form; the break-even by Newton's method from above, where the polynomial is convex; lengths from the end.
// >>> LAB lab06.t5/tokens
double power = acceptance;
for (int i = 0; i < length; ++i) power *= acceptance;
return acceptance >= 1.0 ? length + 1.0 : (1.0 - power) / (1.0 - acceptance);
// <<< LAB lab06.t5/tokens
// >>> LAB lab06.t5/break_even
const double time = length * cost.draft_token + cost.verify;
if (time > length + 1.0) return std::nullopt;
if (time <= 1.0) return 0.0;
double acceptance = 1.0;
for (int round = 0; round < 200; ++round) {
  double value = 1.0 - time, slope = 0.0, power = 1.0;
  for (int i = 1; i <= length; ++i) {
    slope += i * power;
    power *= acceptance;
    value += power;
  }
  acceptance -= value / slope;
}
return acceptance;
// <<< LAB lab06.t5/break_even
// >>> LAB lab06.t5/best_length
int best = 0;
double best_gain = 1.0;
for (int length = int(verify_cost.size()) - 1; length >= 1; --length) {
  const double gain = speed_up(acceptance, length, {draft_token, verify_cost[size_t(length)]});
  if (gain > best_gain || (gain == best_gain && best != 0)) {
    best = length;
    best_gain = gain;
  }
}
return best;
// <<< LAB lab06.t5/best_length
