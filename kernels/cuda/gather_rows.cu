/// @file
/// Gather: out[i] = x[rows_wanted[i]], so that only rows whose logits are asked for go through the head.
///
///     x            (any, width)    fp32
///     rows_wanted  (count)
///     out          (count, width)  fp32
///
/// One thread an element; neighbouring threads read neighbouring elements. Needed from stage 1 on.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: (count, ceil(width / kThreads))   block: kThreads
__global__ void gather_rows_kernel(const float* x,              // (any, width)
                                   const int32_t* rows_wanted,  // (count)
                                   float* out,                  // (count, width)
                                   int width) {
  const int64_t row = blockIdx.x;
  const int64_t column = int64_t(blockIdx.y) * kThreads + threadIdx.x;
  if (column < width) out[row * width + column] = x[int64_t(rows_wanted[row]) * width + column];
}

}  // namespace

void gather_rows(const float* x, const int32_t* rows_wanted, float* out, int count, int width, Stream stream) {
  launch("gather_rows", gather_rows_kernel, dim3(count, blocks_for(width, kThreads)), dim3(kThreads), 0, stream, x,
         rows_wanted, out, width);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
