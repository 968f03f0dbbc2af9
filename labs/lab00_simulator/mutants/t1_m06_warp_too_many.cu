// must fail: lab00.t1.c2: out of bounds
// The comparison is rounded up to whole warps.
// >>> LAB lab00.t1
const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
if (i < (n + 31) / 32 * 32) sum[i] = a[i] + b[i];
// <<< LAB lab00.t1
