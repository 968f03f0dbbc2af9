// must fail: lab00.t1.c2: out of bounds
// The grid has whole blocks; the threads beyond the end are not stopped.
// >>> LAB lab00.t1
const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
sum[i] = a[i] + b[i];
// <<< LAB lab00.t1
