/// @file
/// A kernel of one's own, run by `simt run docs/examples/scale.cu`.
//! [scale]
#include "kernels/simulator/simt.h"

__global__ void scale(float* x, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] *= 2.0f;
}

int main() {
  float* x;
  cudaMalloc(&x, 1000 * sizeof(float));
  cudaMemset(x, 0, 1000 * sizeof(float));
  simt::launch(scale, {dim3(4), dim3(256)}, x, 1000);
  return cudaDeviceSynchronize() != cudaSuccess;
}
//! [scale]
