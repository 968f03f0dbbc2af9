// must get nothing: lab00.t2
// Zeros, nicely coalesced.
// >>> LAB lab00.t2/kernel
__global__ void scale_rows_kernel(const float*, const float*, float* out, int rows, int width) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * width) out[i] = 0.0f;
}
// <<< LAB lab00.t2/kernel
