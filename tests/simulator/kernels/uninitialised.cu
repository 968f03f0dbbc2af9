#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

constexpr int kThreads = 64;

/// grid: 1   block: 32
__global__ void read_shared_kernel(float* out, int written) {
  __shared__ float array[64];
  const int t = int(threadIdx.x);
  if (t < written) array[t] = float(t);
  __syncthreads();
  out[t] = array[t];
}

/// grid: ceil(n / kThreads)   block: kThreads
__global__ void copy_kernel(const float* from, float* to, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}

}  // namespace

cudaError_t read_shared(float* out, int written) {
  return launch(read_shared_kernel, {dim3(1), dim3(32)}, out, written);
}
cudaError_t copy(const float* from, float* to, int n) {
  return launch(copy_kernel, {dim3(unsigned(n + kThreads - 1) / kThreads), dim3(kThreads)}, from, to, n);
}

}  // namespace simulator_tests
