#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

constexpr int kTile = 32;
constexpr int kRowsAtATime = 8;

/// grid: 1   block: 32
__global__ void copy_strided_kernel(const float* x, float* out, int n, int stride) {
  const int i = int(threadIdx.x) * stride % n;
  out[i] = x[i];
}

/// grid: (n / kTile, n / kTile)   block: (kTile, kRowsAtATime)
__global__ void transpose_naive_kernel(const float* x, float* out, int n) {
  const int column = int(blockIdx.x * kTile + threadIdx.x);
  const int row = int(blockIdx.y * kTile + threadIdx.y);
  for (int j = 0; j < kTile; j += kRowsAtATime) out[column * n + row + j] = x[(row + j) * n + column];
}

/// grid: (n / kTile, n / kTile)   block: (kTile, kRowsAtATime)
template <int padding>
__global__ void transpose_tile_kernel(const float* x, float* out, int n) {
  __shared__ float tile[kTile][kTile + padding];
  int column = int(blockIdx.x * kTile + threadIdx.x);
  int row = int(blockIdx.y * kTile + threadIdx.y);
  for (int j = 0; j < kTile; j += kRowsAtATime) tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * n + column];
  __syncthreads();
  column = int(blockIdx.y * kTile + threadIdx.x);
  row = int(blockIdx.x * kTile + threadIdx.y);
  for (int j = 0; j < kTile; j += kRowsAtATime) out[(row + j) * n + column] = tile[threadIdx.x][threadIdx.y + j];
}

/// grid: 1   block: 32
__global__ void shared_stride_kernel(float* out, int stride) {
  __shared__ float array[32 * 32];
  const int t = int(threadIdx.x);
  array[t * stride] = 1.0f;
  __syncthreads();
  out[t] = array[t * stride];
}

/// grid: 1   block: 32
__global__ void shared_vectors_kernel(float4* x) {
  __shared__ float4 array[32];
  const int t = int(threadIdx.x);
  array[t] = x[t];
  __syncthreads();
  x[t] = array[31 - t];
}

/// grid: 1   block: 32
__global__ void sum_of_four_kernel(const float* x, float* out) {
  out[threadIdx.x] = inline_sum_of_four(x + 4 * threadIdx.x);
}

/// grid: 2   block: 64
__global__ void sparse_kernel(const int* row_begin, const int* columns, const float* values, const float* x, float* y,
                              int rows) {
  for (int r = int(blockIdx.x * blockDim.x + threadIdx.x); r < rows; r += int(gridDim.x * blockDim.x)) {
    float sum = 0.0f;
    const int end = row_begin[r + 1];
    for (int i = row_begin[r]; i < end; ++i) sum += values[i] * x[columns[i]];
    y[r] = sum;
  }
}

}  // namespace

cudaError_t copy_strided(const float* x, float* out, int n, int stride) {
  return launch(copy_strided_kernel, {dim3(1), dim3(32)}, x, out, n, stride);
}
cudaError_t transpose(Transpose how, const float* x, float* out, int n) {
  const unsigned tiles = unsigned(n / kTile);
  const simt::Launch shape{dim3(tiles, tiles), dim3(kTile, kRowsAtATime)};
  if (how == Transpose::naive) return launch(transpose_naive_kernel, shape, x, out, n);
  if (how == Transpose::shared_tile) return launch(transpose_tile_kernel<0>, shape, x, out, n);
  return launch(transpose_tile_kernel<1>, shape, x, out, n);
}
cudaError_t shared_stride(float* out, int stride) {
  return launch(shared_stride_kernel, {dim3(1), dim3(32)}, out, stride);
}
cudaError_t shared_vectors(float4* x) { return launch(shared_vectors_kernel, {dim3(1), dim3(32)}, x); }
cudaError_t sum_of_four(const float* x, float* out) { return launch(sum_of_four_kernel, {dim3(1), dim3(32)}, x, out); }
cudaError_t sparse_times_vector(const int* row_begin, const int* columns, const float* values, const float* x, float* y,
                                int rows) {
  return launch(sparse_kernel, {dim3(2), dim3(64)}, row_begin, columns, values, x, y, rows);
}

}  // namespace simulator_tests
