// must fail: lab00.t1.c1: sum[0]
// The second operand is the first.
// >>> LAB lab00.t1
const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
if (i < n) sum[i] = a[i] + a[i];
// <<< LAB lab00.t1
