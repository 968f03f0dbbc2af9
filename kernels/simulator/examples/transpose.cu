/// @file
/// out[j][i] = in[i][j], three times: right each time, but not equally good.
///
///     simt run --profile --gpu A100 transpose.cu
///
/// | kernel           | loads            | stores           | shared memory                  |
/// |------------------|------------------|------------------|--------------------------------|
/// | transpose_naive  | 4 sectors        | 32 sectors       | none                           |
/// | transpose<0>     | 4 sectors        | 4 sectors        | 32-way bank conflicts          |
/// | transpose<1>     | 4 sectors        | 4 sectors        | no conflict: rows are padded   |
#include <vector>

#include "kernels/simulator/examples/check.h"

constexpr int kTile = 32;
constexpr int kRowsAtATime = 8;

/// A warp reads a row and writes a column: each of its 32 stores goes to another sector.
///
/// grid: (n / kTile, n / kTile)   block: (kTile, kRowsAtATime)
__global__ void transpose_naive(const float* in,  // (n, n)
                                float* out,       // (n, n)
                                int n) {
  const int column = int(blockIdx.x * kTile + threadIdx.x);
  const int row = int(blockIdx.y * kTile + threadIdx.y);
  SIMT_UNROLL
  for (int j = 0; j < kTile; j += kRowsAtATime) out[column * n + row + j] = in[(row + j) * n + column];
}

/// A tile goes through shared memory, so that rows are read and rows are written. In shared memory a column is read:
/// without padding its 32 elements lie in one bank.
///
/// grid: (n / kTile, n / kTile)   block: (kTile, kRowsAtATime)
template <int padding>
__global__ void transpose(const float* in,  // (n, n)
                          float* out,       // (n, n)
                          int n) {
  __shared__ float tile[kTile][kTile + padding];
  int column = int(blockIdx.x * kTile + threadIdx.x);
  int row = int(blockIdx.y * kTile + threadIdx.y);
  SIMT_UNROLL
  for (int j = 0; j < kTile; j += kRowsAtATime) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * n + column];
  __syncthreads();
  column = int(blockIdx.y * kTile + threadIdx.x);
  row = int(blockIdx.x * kTile + threadIdx.y);
  SIMT_UNROLL
  for (int j = 0; j < kTile; j += kRowsAtATime) out[(row + j) * n + column] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int n = 256;
  const size_t bytes = size_t(n) * n * sizeof(float);
  std::vector<float> in(size_t(n) * n), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i);

  float *device_in, *device_out;
  examples::check(cudaMalloc(&device_in, bytes), "cudaMalloc");
  examples::check(cudaMalloc(&device_out, bytes), "cudaMalloc");
  examples::check(cudaMemcpy(device_in, in.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

  int wrong = 0;
  const simt::Launch shape{dim3(n / kTile, n / kTile), dim3(kTile, kRowsAtATime)};
  for (const auto kernel : {transpose_naive, transpose<0>, transpose<1>}) {
    examples::check(cudaMemset(device_out, 0, bytes), "cudaMemset");
    simt::launch(kernel, shape, device_in, device_out, n);
    examples::check(cudaDeviceSynchronize(), "transpose");
    examples::check(cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += out[size_t(j) * n + i] != in[size_t(i) * n + j];
  }
  std::printf("%d elements are wrong\n", wrong);
  cudaFree(device_in);
  cudaFree(device_out);
  return wrong != 0;
}
