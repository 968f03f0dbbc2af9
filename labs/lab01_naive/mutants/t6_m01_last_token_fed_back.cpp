// must fail: lab01.t6.c1: forwarded
// One pass too many: the last token drawn is not fed back.
// >>> LAB lab01.t6
if (output == 0) return {0, 0};
const int64_t forwarded = output * prompt + output * (output + 1) / 2;
return {forwarded, forwarded - (prompt + output - 1)};
// <<< LAB lab01.t6
