/// @file
/// sum[i] = a[i] + b[i]. The smallest kernel, and the most common mistake: a grid has whole blocks, so there are more
/// threads than elements, and those beyond the end must do nothing.
///
///     simt run vector_add.cu             the right one
///     simt run vector_add.cu -- bug      without the comparison
#include <cstring>
#include <vector>

#include "kernels/simulator/examples/check.h"

constexpr int kThreads = 256;

/// grid: ceil(n / kThreads)   block: kThreads
__global__ void vector_add(const float* a,  // (n)
                           const float* b,  // (n)
                           float* sum,      // (n)
                           int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) sum[i] = a[i] + b[i];
}

__global__ void vector_add_without_comparison(const float* a, const float* b, float* sum, int) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const bool bug = argc > 1 && std::strcmp(argv[1], "bug") == 0;
  const int n = 1000;
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), sum(n);
  for (int i = 0; i < n; ++i) {
    a[i] = float(i);
    b[i] = float(n - i);
  }

  float *device_a, *device_b, *device_sum;
  examples::check(cudaMalloc(&device_a, bytes), "cudaMalloc");
  examples::check(cudaMalloc(&device_b, bytes), "cudaMalloc");
  examples::check(cudaMalloc(&device_sum, bytes), "cudaMalloc");
  examples::check(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  examples::check(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

  const simt::Launch shape{dim3((n + kThreads - 1) / kThreads), dim3(kThreads)};
  simt::launch(bug ? vector_add_without_comparison : vector_add, shape, device_a, device_b, device_sum, n);
  examples::check(cudaDeviceSynchronize(), "vector_add");

  examples::check(cudaMemcpy(sum.data(), device_sum, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  int wrong = 0;
  for (const float value : sum) wrong += value != float(n);
  std::printf("%d of %d sums are wrong\n", wrong, n);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  return wrong != 0;
}
