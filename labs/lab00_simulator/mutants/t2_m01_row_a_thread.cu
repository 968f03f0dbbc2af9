// must fail: lab00.t2.c3: sectors moved by stores
// The kernel as it was given.
// >>> LAB lab00.t2/kernel
__global__ void scale_rows_kernel(const float* x, const float* factors, float* out, int rows, int width) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  for (int i = 0; i < width; ++i) out[row * width + i] = x[row * width + i] * factors[row];
}
// <<< LAB lab00.t2/kernel
