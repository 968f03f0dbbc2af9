/// @file
/// Linear, version 2: one warp an output, so that neighbouring threads read neighbouring weights.
///
///     x (rows, in) fp32   weight (out_width, in)   bias (out_width) or none   out (rows, out_width) fp32
///
/// Changed from version 1: lane l holds the partial sums l and l + 32, two registers. A warp's load of bf16 touches 2
/// sectors and uses all of them. What is left: a load brings only 2 bytes a lane, so there are many of them.
#include "kernels/cuda/fold.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/cuda/vector_load.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kWarpsPerBlock = 4;

/// grid: (ceil(out_width / kWarpsPerBlock), rows)   block: (32, kWarpsPerBlock)
template <class T>
__global__ void warp_per_output(const float* x,   // (rows, in)
                                const T* weight,  // (out_width, in)
                                WeightView bias,  // (out_width)
                                float* out,       // (rows, out_width)
                                int in, int out_width) {
  const int64_t o = int64_t(blockIdx.x) * kWarpsPerBlock + threadIdx.y;
  const int64_t row = blockIdx.y;
  if (o >= out_width) return;  // a whole warp leaves

  const float* x_row = x + row * in;
  const T* w_row = weight + o * in;
  float low = 0.0f, high = 0.0f;
  for (int k = threadIdx.x; k < in; k += kPartialSums) {
    low = fmaf(x_row[k], to_float(w_row[k]), low);
    if (k + kWarp < in) high = fmaf(x_row[k + kWarp], to_float(w_row[k + kWarp]), high);
  }
  const float sum = fold_in_warp(low, high);
  if (threadIdx.x == 0) out[row * out_width + o] = bias.data ? sum + element(bias, o) : sum;
}

}  // namespace

void linear_v2_coalesced(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                         int out_width, Stream stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    const auto kernel = warp_per_output<std::decay_t<decltype(*w)>>;
    launch("linear_v2_coalesced", kernel, dim3(blocks_for(out_width, kWarpsPerBlock), rows),
           dim3(kWarp, kWarpsPerBlock), 0, stream, x, w, bias, out, in, out_width);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
