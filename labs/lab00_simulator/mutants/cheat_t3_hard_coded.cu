// must get nothing: lab00.t3
// What the sum of numbers from -4 to 10 is likely to be.
// >>> LAB lab00.t3
if (threadIdx.x == 0 && blockIdx.x == 0) sum[0] = 3.0f * float(n);
// <<< LAB lab00.t3
