/// @file
/// The residual connection: x[i] += y[i].
///
///     x, y  (n)  fp32
///
/// Four elements a thread by 16-byte loads; the last thread takes what is left over. Needed from stage 1 on.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: ceil(n / 4 / kThreads)   block: kThreads
__global__ void add_kernel(float* x, const float* y, int64_t n) {
  const int64_t i = (int64_t(blockIdx.x) * kThreads + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 a = *reinterpret_cast<const float4*>(x + i);
    const float4 b = *reinterpret_cast<const float4*>(y + i);
    *reinterpret_cast<float4*>(x + i) = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  } else {
    for (int64_t k = i; k < n; ++k) x[k] += y[k];
  }
}

}  // namespace

void add(float* x, const float* y, int64_t n, Stream stream) {
  launch("add", add_kernel, dim3(blocks_for(ceil_div(n, 4), kThreads)), dim3(kThreads), 0, stream, x, y, n);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
