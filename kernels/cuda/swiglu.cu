/// @file
/// SwiGLU's gate: gate[i] = silu(gate[i]) * up[i], silu(x) = x / (1 + e^-x)   (Shazeer 2020, arXiv 2002.05202)
///
///     gate, up  (n)  fp32
///
/// Four elements a thread by 16-byte loads; the last thread takes what is left over. Needed from stage 1 on.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/exact_math.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: ceil(n / 4 / kThreads)   block: kThreads
__global__ void swiglu_kernel(float* gate, const float* up, int64_t n) {
  const int64_t i = (int64_t(blockIdx.x) * kThreads + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 g = *reinterpret_cast<const float4*>(gate + i);
    const float4 u = *reinterpret_cast<const float4*>(up + i);
    *reinterpret_cast<float4*>(gate + i) =
        make_float4(exact_silu(g.x) * u.x, exact_silu(g.y) * u.y, exact_silu(g.z) * u.z, exact_silu(g.w) * u.w);
  } else {
    for (int64_t k = i; k < n; ++k) gate[k] = exact_silu(gate[k]) * up[k];
  }
}

}  // namespace

void swiglu(float* gate, const float* up, int64_t n, Stream stream) {
  launch("swiglu", swiglu_kernel, dim3(blocks_for(ceil_div(n, 4), kThreads)), dim3(kThreads), 0, stream, gate, up, n);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
