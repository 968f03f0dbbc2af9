// must fail: lab01.t6.c2: recomputed
// Without output there is no pass, so nothing is computed for the first time.
// >>> LAB lab01.t6
const int64_t forwarded = output * prompt + output * (output - 1) / 2;
return {forwarded, forwarded - (prompt + output - 1)};
// <<< LAB lab01.t6
