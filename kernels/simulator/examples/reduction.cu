/// @file
/// The sum of n numbers: each block adds its part in shared memory and then to the result.
///
///     simt run reduction.cu                    the right one
///     simt run reduction.cu -- race            without the barrier between the steps
///     simt run reduction.cu -- divergent       with the barrier inside the branch
///     simt run --profile reduction.cu -- slow  right, but with neighbours that are a stride apart: bank conflicts
#include <cstring>
#include <vector>

#include "kernels/simulator/examples/check.h"

constexpr int kThreads = 256;

enum class Version { right, race, divergent, slow };

/// grid: any   block: kThreads
template <Version version>
__global__ void reduce(const float* x,  // (n)
                       float* sum,      // (1): added to
                       int n) {
  __shared__ float partial[kThreads];
  const int t = int(threadIdx.x);
  float mine = 0.0f;
  for (int i = int(blockIdx.x) * kThreads + t; i < n; i += int(gridDim.x) * kThreads) mine += x[i];
  partial[t] = mine;
  __syncthreads();

  if constexpr (version == Version::slow) {
    for (int stride = 1; stride < kThreads; stride *= 2) {
      const int i = 2 * stride * t;
      if (i + stride < kThreads) partial[i] += partial[i + stride];
      __syncthreads();
    }
  } else {
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (t < half) {
        partial[t] += partial[t + half];
        if constexpr (version == Version::divergent) __syncthreads();
      }
      if constexpr (version == Version::right) __syncthreads();
    }
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "right";
  auto kernel = reduce<Version::right>;
  if (std::strcmp(name, "race") == 0) kernel = reduce<Version::race>;
  if (std::strcmp(name, "divergent") == 0) kernel = reduce<Version::divergent>;
  if (std::strcmp(name, "slow") == 0) kernel = reduce<Version::slow>;

  const int n = 10000;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = float(i % 7);  // small integers: their sum is exact in any order
  float expected = 0.0f;
  for (const float value : x) expected += value;

  float *device_x, *device_sum, sum = 0.0f;
  examples::check(cudaMalloc(&device_x, n * sizeof(float)), "cudaMalloc");
  examples::check(cudaMalloc(&device_sum, sizeof(float)), "cudaMalloc");
  examples::check(cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  examples::check(cudaMemset(device_sum, 0, sizeof(float)), "cudaMemset");
  simt::launch(kernel, {dim3(8), dim3(kThreads)}, device_x, device_sum, n);
  examples::check(cudaDeviceSynchronize(), "reduce");
  examples::check(cudaMemcpy(&sum, device_sum, sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::printf("sum %g, expected %g\n", sum, expected);
  cudaFree(device_x);
  cudaFree(device_sum);
  return sum != expected;
}
