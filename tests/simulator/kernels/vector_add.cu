#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

constexpr int kThreads = 128;

/// grid: ceil(n / kThreads)   block: kThreads
__global__ void vector_add_kernel(const float* a, const float* b, float* sum, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) sum[i] = a[i] + b[i];
}

}  // namespace

cudaError_t vector_add(const float* a, const float* b, float* sum, int n) {
  return launch(vector_add_kernel, {dim3(unsigned(n + kThreads - 1) / kThreads), dim3(kThreads)}, a, b, sum, n);
}

}  // namespace simulator_tests
