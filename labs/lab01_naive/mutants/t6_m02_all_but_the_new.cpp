// must fail: lab01.t6.c2: recomputed
// The prompt's first pass is counted as computed again.
// >>> LAB lab01.t6
if (output == 0) return {0, 0};
const int64_t forwarded = output * prompt + output * (output - 1) / 2;
return {forwarded, forwarded - output};
// <<< LAB lab01.t6
