#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

/// grid: 1   block: 64
__global__ void reverse_kernel(float* x, bool with_barrier) {
  __shared__ float copy[64];
  const int t = int(threadIdx.x);
  copy[t] = x[t];
  if (with_barrier) __syncthreads();
  x[t] = copy[63 - t];
}

/// grid: 1   block: 32
__global__ void rotate_kernel(float* x, bool with_syncwarp) {
  __shared__ float copy[32];
  const int t = int(threadIdx.x);
  copy[t] = x[t];
  if (with_syncwarp) __syncwarp();
  x[t] = copy[(t + 1) % 32];
}

/// grid: 1   block: 64
__global__ void neighbours_kernel(stagecraft::bf16* x) {
  __shared__ stagecraft::bf16 copy[64];
  const int t = int(threadIdx.x);
  copy[t] = x[t];
  __syncthreads();
  x[t] = copy[63 - t];
}

/// grid: 1   block: 64
__global__ void shift_kernel(float* x, bool with_barrier) {
  const int t = int(threadIdx.x);
  const float next = t < 63 ? x[t + 1] : 0.0f;
  if (with_barrier) __syncthreads();
  x[t] = next;
}

/// grid: 4   block: 32
__global__ void add_kernel(float* x, bool atomically) {
  float* mine = x + threadIdx.x;
  if (atomically)
    atomicAdd(mine, 1.0f);
  else
    *mine += 1.0f;
}

/// grid: 8   block: 32
__global__ void last_block_kernel(const float* x, float* partial, unsigned* finished, float* sum, int n,
                                  bool with_fence) {
  __shared__ bool last;
  float mine = 0.0f;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x)) mine += x[i];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_xor_sync(0xFFFFFFFFu, mine, step);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    if (with_fence) __threadfence();
    last = atomicAdd(finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  float total = 0.0f;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
  *sum = total;
}

/// grid: 1   block: 64
__global__ void beside_atomics_kernel(int* x, bool with_barrier) {
  if (threadIdx.x != 0) atomicAdd(x, 1);
  if (with_barrier) __syncthreads();
  if (threadIdx.x == 0) x[1] = x[0];
}

/// grid: 1   block: 64
__global__ void vector_beside_write_kernel(float* x, float* out, int written) {
  if (threadIdx.x == 0) {
    const float4 v = *reinterpret_cast<const float4*>(x);
    *out = v.x + v.y + v.z + v.w;
  }
  if (threadIdx.x == 32) x[written] = 1.0f;
}

}  // namespace

cudaError_t reverse_in_shared(float* x, bool with_barrier) {
  return launch(reverse_kernel, {dim3(1), dim3(64)}, x, with_barrier);
}
cudaError_t rotate_in_warp(float* x, bool with_syncwarp) {
  return launch(rotate_kernel, {dim3(1), dim3(32)}, x, with_syncwarp);
}
cudaError_t neighbours_in_a_word(stagecraft::bf16* x) { return launch(neighbours_kernel, {dim3(1), dim3(64)}, x); }
cudaError_t shift_in_global(float* x, bool with_barrier) {
  return launch(shift_kernel, {dim3(1), dim3(64)}, x, with_barrier);
}
cudaError_t add_from_all_blocks(float* x, bool atomically) {
  return launch(add_kernel, {dim3(4), dim3(32)}, x, atomically);
}
cudaError_t last_block_sums(const float* x, float* partial, unsigned* finished, float* sum, int n, bool with_fence) {
  return launch(last_block_kernel, {dim3(8), dim3(32)}, x, partial, finished, sum, n, with_fence);
}
cudaError_t read_beside_atomics(int* x, bool with_barrier) {
  return launch(beside_atomics_kernel, {dim3(1), dim3(64)}, x, with_barrier);
}

cudaError_t vector_beside_write(float* x, float* out, int written) {
  return launch(vector_beside_write_kernel, {dim3(1), dim3(64)}, x, out, written);
}

}  // namespace simulator_tests
