// must fail: lab00.t1.c1: sum[256]
// The block's number is forgotten: all blocks do the work of the first.
// >>> LAB lab00.t1
const int i = int(threadIdx.x);
if (i < n) sum[i] = a[i] + b[i];
// <<< LAB lab00.t1
