// must fail: lab00.t2.c4: sectors moved by loads
// Stores are coalesced; loads take a column first and hand it on through shared memory.
// >>> LAB lab00.t2/kernel
__global__ void scale_rows_kernel(const float* x, const float* factors, float* out, int rows, int width) {
  const int begin = int(blockIdx.x * blockDim.x), all = rows * width, t = int(threadIdx.x);
  __shared__ float tile[kThreads];
  const int turned = t % 4 * 32 + t / 4;
  if (begin + turned < all) tile[turned] = x[begin + turned];
  __syncthreads();
  if (begin + t < all) out[begin + t] = tile[t] * factors[(begin + t) / width] + 0.0f * x[(begin + t) * 8 % all];
}
// <<< LAB lab00.t2/kernel
