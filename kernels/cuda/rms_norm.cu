/// @file
/// RMSNorm: out[i] = x[i] / sqrt(mean(x^2) + epsilon) * weight[i]   (Zhang and Sennrich 2019, arXiv 1910.07467)
///
///     x       (rows, width)  fp32
///     weight  (width)        bf16, fp16 or fp32
///     out     (rows, width)  fp32, may be x
///
/// One warp a row, so a row never learns how many rows there are (EXACTNESS R2). Lane l holds the partial sums l and
/// l + 32 of the canonical dot product of x with itself (R1). Needed from stage 1 on.
#include "kernels/cuda/fold.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/cuda/vector_load.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kWarpsPerBlock = 4;

/// grid: ceil(rows / kWarpsPerBlock)   block: (32, kWarpsPerBlock)
template <class T>
__global__ void rms_norm_kernel(const float* x,   // (rows, width)
                                const T* weight,  // (width)
                                float* out,       // (rows, width)
                                int rows, int width, float epsilon) {
  const int lane = threadIdx.x;
  const int64_t row = int64_t(blockIdx.x) * kWarpsPerBlock + threadIdx.y;
  if (row >= rows) return;  // a whole warp leaves, so no shuffle below misses a lane

  const float* x_row = x + row * width;
  float low = 0.0f, high = 0.0f;
  for (int k = lane; k < width; k += kPartialSums) {
    low = fmaf(x_row[k], x_row[k], low);
    if (k + kWarp < width) high = fmaf(x_row[k + kWarp], x_row[k + kWarp], high);
  }
  const float scale = rms_scale(fold_in_warp(low, high), width, epsilon);

  float* out_row = out + row * width;
  for (int k = lane; k < width; k += kWarp) out_row[k] = x_row[k] * scale * to_float(weight[k]);
}

}  // namespace

void rms_norm(const float* x, WeightView weight, float* out, int rows, int width, float epsilon, Stream stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    const auto kernel = rms_norm_kernel<std::decay_t<decltype(*w)>>;
    launch("rms_norm", kernel, dim3(blocks_for(rows, kWarpsPerBlock)), dim3(kWarp, kWarpsPerBlock), 0, stream, x, w,
           out, rows, width, epsilon);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
