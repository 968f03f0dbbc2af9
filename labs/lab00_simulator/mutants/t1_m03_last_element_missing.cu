// must fail: lab00.t1.c1: sum[0]
// Off by one: with n = 1 nothing is added.
// >>> LAB lab00.t1
const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
if (i < n - 1) sum[i] = a[i] + b[i];
// <<< LAB lab00.t1
