// must get nothing: lab00.t1
// The input is the output.
// >>> LAB lab00.t1
const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
if (i < n) sum[i] = a[i];
// <<< LAB lab00.t1
