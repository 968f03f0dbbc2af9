// must fail: lab01.t6.c1: forwarded
// 32 bits hold two thousand million tokens, and 70,000 after one is more.
// >>> LAB lab01.t6
if (output == 0) return {0, 0};
const int64_t forwarded = int32_t(uint32_t(output * prompt) + uint32_t(output * (output - 1) / 2));
return {forwarded, forwarded - (prompt + output - 1)};
// <<< LAB lab01.t6
