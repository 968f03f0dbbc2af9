/// @file
/// Linear, version 1: one thread an output. The contract's own loop (EXACTNESS R1), as one would first write it.
///
///     x (rows, in) fp32   weight (out_width, in)   bias (out_width) or none   out (rows, out_width) fp32
///
/// Right, and slow: neighbouring threads read weights a whole row apart, so a warp's load touches 32 sectors of 32
/// bytes to use 2 bytes of each. And the 64 partial sums are indexed by k % 64, so they lie in memory and not in
/// registers.
#include "kernels/cuda/fold.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/cuda/vector_load.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: (ceil(out_width / kThreads), rows)   block: kThreads
template <class T>
__global__ void row_per_thread(const float* x,   // (rows, in)
                               const T* weight,  // (out_width, in)
                               WeightView bias,  // (out_width)
                               float* out,       // (rows, out_width)
                               int in, int out_width) {
  const int64_t o = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const int64_t row = blockIdx.y;
  if (o >= out_width) return;

  float partial[kPartialSums] = {};
  for (int k = 0; k < in; ++k) {
    float& p = partial[k % kPartialSums];
    p = fmaf(x[row * in + k], to_float(weight[o * in + k]), p);
  }
  const float sum = fold_in_lane(partial);
  out[row * out_width + o] = bias.data ? sum + element(bias, o) : sum;
}

}  // namespace

void linear_v1_row_per_thread(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                              int out_width, Stream stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    const auto kernel = row_per_thread<std::decay_t<decltype(*w)>>;
    launch("linear_v1_row_per_thread", kernel, dim3(blocks_for(out_width, kThreads), rows), dim3(kThreads), 0, stream,
           x, w, bias, out, in, out_width);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
