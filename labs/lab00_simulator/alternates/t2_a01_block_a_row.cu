// must pass: lab00.t2
// A block takes a row and walks along it together.
// >>> LAB lab00.t2/kernel
__global__ void scale_rows_kernel(const float* x, const float* factors, float* out, int, int width) {
  const int row = int(blockIdx.x);
  for (int i = int(threadIdx.x); i < width; i += kThreads) out[row * width + i] = x[row * width + i] * factors[row];
}
// <<< LAB lab00.t2/kernel
// >>> LAB lab00.t2/launch
simt::launch(scale_rows_kernel, {dim3(rows), dim3(kThreads)}, x, factors, out, rows, width);
// <<< LAB lab00.t2/launch
