#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

constexpr int kContinue = 7;
constexpr int kBreak = 2;

/// grid: 1   block: 32
__global__ void divergent_loop_kernel(DivergentLoop loop) {
  const int t = int(threadIdx.x);
  const int iterations = loop.iterations[t];
  float sum = 0.0f;
  for (int i = 0; i < iterations; ++i) {
    const int code = loop.code[i * 32 + t];
    sum += loop.a[i * 32 + t];
    if (code == kContinue) continue;
    if (code & 1) sum += loop.b[i * 32 + t];
    for (int j = 0; j < code / 4; ++j) sum += loop.c[(i * 4 + j) * 32 + t];
    if (code == kBreak) break;
    sum += loop.d[i * 32 + t];
  }
  loop.out[t] = sum;
}

}  // namespace

cudaError_t run_divergent_loop(const DivergentLoop& loop) {
  return launch(divergent_loop_kernel, {dim3(1), dim3(32)}, loop);
}

}  // namespace simulator_tests
