// must pass: lab00.t1
// The last thread takes the first element: a warp's sectors are the same.
// >>> LAB lab00.t1
const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
const int i = int(gridDim.x * blockDim.x) - 1 - t;
if (i < n) sum[i] = a[i] + b[i];
// <<< LAB lab00.t1
