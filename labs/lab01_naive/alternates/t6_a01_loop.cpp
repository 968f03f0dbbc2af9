// must pass: lab01.t6
// Pass by pass.
// >>> LAB lab01.t6
Work work{0, 0};
for (int64_t pass = 0; pass < output; ++pass) {
  work.forwarded += prompt + pass;
  work.recomputed += pass == 0 ? 0 : prompt + pass - 1;
}
return work;
// <<< LAB lab01.t6
