#include <stdexcept>

#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

/// grid: 1   block: 32
__global__ void wait_kernel(const volatile int* flag, float* out) {
  while (*flag == 0) {
  }
  out[threadIdx.x] = 1.0f;
}

/// grid: 1   block: 32
__global__ void compute_kernel(float* out, long rounds) {
  unsigned x = threadIdx.x;
  for (long i = 0; i != rounds; ++i) x = x * 1664525u + 1013904223u;
  out[threadIdx.x] = float(x);
}

/// grid: 1   block: 64
__global__ void barriers_kernel(float* out, long rounds) {
  for (long i = 0; i != rounds; ++i) __syncthreads();
  out[threadIdx.x] = 1.0f;
}

__device__ SIMT_NOINLINE float fill_and_recurse(int depth) {
  volatile float local[256];
  for (int i = 0; i < 256; ++i) local[i] = float(depth);
  return depth == 0 ? 0.0f : local[depth % 256] - float(depth) + fill_and_recurse(depth - 1) + local[0];
}

/// grid: 1   block: 32
__global__ void recurse_kernel(float* out, int depth) { out[threadIdx.x] = fill_and_recurse(depth); }

/// grid: 1   block: 32
__global__ void throw_kernel(float* out) {
  if (threadIdx.x == 5) throw std::runtime_error("not in device code");
  out[threadIdx.x] = 1.0f;
}

/// grid: 1   block: 32
__global__ void write_null_kernel(float* out) {
  if (threadIdx.x == 7) out[threadIdx.x] = 1.0f;
}

}  // namespace

cudaError_t wait_for_flag(const volatile int* flag, float* out) {
  return launch(wait_kernel, {dim3(1), dim3(32)}, flag, out);
}
cudaError_t compute(float* out, long rounds) { return launch(compute_kernel, {dim3(1), dim3(32)}, out, rounds); }
cudaError_t barriers_for_ever(float* out, long rounds) {
  return launch(barriers_kernel, {dim3(1), dim3(64)}, out, rounds);
}
cudaError_t recurse(float* out, int depth) { return launch(recurse_kernel, {dim3(1), dim3(32)}, out, depth); }
cudaError_t throw_exception(float* out) { return launch(throw_kernel, {dim3(1), dim3(32)}, out); }
cudaError_t write_null(float* out) { return launch(write_null_kernel, {dim3(1), dim3(32)}, out); }

}  // namespace simulator_tests
