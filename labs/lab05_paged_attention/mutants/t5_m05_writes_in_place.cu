// must fail: lab05.t5.c1: what the samples that are left hold
// No copy, no use after free: a sample writes into what others read.
// >>> LAB lab05.t5/append
// <<< LAB lab05.t5/append
