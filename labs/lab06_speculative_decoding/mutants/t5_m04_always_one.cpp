// must fail: lab06.t5.c3: there is one
// Where drafts never pay, 1 is given for the acceptance from which they do.
// >>> LAB lab06.t5/break_even
double losing = 0.0, paying = 1.0;
for (int halving = 0; halving < 52; ++halving) {
  const double middle = (losing + paying) / 2;
  (speed_up(middle, length, cost) < 1.0 ? losing : paying) = middle;
}
return paying;
// <<< LAB lab06.t5/break_even
