// must fail: lab06.t5.c1: tokens
// The target's own token is not counted.
// >>> LAB lab06.t5/tokens
double tokens = 0.0, all_right = 1.0;
for (int i = 0; i < length; ++i) {
  all_right *= acceptance;
  tokens += all_right;
}
return tokens;
// <<< LAB lab06.t5/tokens
