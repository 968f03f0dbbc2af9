#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

/// grid: any   block: a power of two, with as many floats of dynamic shared memory
__global__ void block_sum_kernel(const float* x, float* sum, int n, bool with_barrier) {
  SIMT_DYN_SHARED(float, partial);
  const int t = int(threadIdx.x);
  float mine = 0.0f;
  for (int i = int(blockIdx.x * blockDim.x) + t; i < n; i += int(gridDim.x * blockDim.x)) mine += x[i];
  partial[t] = mine;
  __syncthreads();
  for (int half = int(blockDim.x) / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    if (with_barrier) __syncthreads();
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

}  // namespace

cudaError_t block_sum(const float* x, float* sum, int n, bool with_barrier) {
  return launch(block_sum_kernel, {dim3(8), dim3(256), 256 * sizeof(float)}, x, sum, n, with_barrier);
}

}  // namespace simulator_tests
