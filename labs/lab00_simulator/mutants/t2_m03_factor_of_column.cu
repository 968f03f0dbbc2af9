// must fail: lab00.t2.c1: out[
// Remainder for quotient: the factor is chosen by column.
// >>> LAB lab00.t2/kernel
__global__ void scale_rows_kernel(const float* x, const float* factors, float* out, int rows, int width) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * width) out[i] = x[i] * factors[i % width % rows];
}
// <<< LAB lab00.t2/kernel
