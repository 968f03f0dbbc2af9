#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

constexpr int kThreads = 128;

/// grid: ceil(threads / kThreads)   block: kThreads
__global__ void write_shifted_kernel(float* x, int threads, int offset) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < threads) x[i + offset] = float(i);
}

/// grid: 1   block: 32
__global__ void write_shifted_in_shared_kernel(float* out, int offset) {
  __shared__ float below[32];
  __shared__ float array[32];
  __shared__ float above[32];
  const int t = int(threadIdx.x);
  below[t] = above[t] = array[t] = 0.0f;
  __syncthreads();
  array[t + offset] = 1.0f;
  __syncthreads();
  out[t] = below[t] + array[t] + above[t];
}

/// grid: 1   block: 32
__global__ void write_dynamic_shared_kernel(float* out) {
  SIMT_DYN_SHARED(float, array);
  array[threadIdx.x] = 1.0f;
  out[threadIdx.x] = array[threadIdx.x];
}

/// grid: 1   block: 1
__global__ void load_vector_kernel(const float* x, float* out, int offset) {
  const float4 v = *reinterpret_cast<const float4*>(x + offset);
  *out = v.x + v.y + v.z + v.w;
}

}  // namespace

cudaError_t write_shifted(float* x, int threads, int offset) {
  const dim3 grid(unsigned(threads + kThreads - 1) / kThreads);
  return launch(write_shifted_kernel, {grid, dim3(kThreads)}, x, threads, offset);
}
cudaError_t write_shifted_in_shared(float* out, int offset) {
  return launch(write_shifted_in_shared_kernel, {dim3(1), dim3(32)}, out, offset);
}
cudaError_t write_dynamic_shared(float* out, int elements) {
  return launch(write_dynamic_shared_kernel, {dim3(1), dim3(32), size_t(elements) * sizeof(float)}, out);
}
cudaError_t load_vector_at(const float* x, float* out, int offset) {
  return launch(load_vector_kernel, {dim3(1), dim3(1)}, x, out, offset);
}

}  // namespace simulator_tests
