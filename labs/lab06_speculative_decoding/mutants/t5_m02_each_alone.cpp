// must fail: lab06.t5.c1: tokens
// Each token is counted as right with probability a: what stands behind a wrong one does not count.
// >>> LAB lab06.t5/tokens
return 1.0 + length * acceptance;
// <<< LAB lab06.t5/tokens
