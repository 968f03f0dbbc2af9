/// @file
/// Lab 1, task 3: the same product twice. The contract: labs/lab01_naive/include/naive.h.
#include "kernels/exact_math.h"
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"
#include "naive.h"

namespace lab01 {
namespace {

using stagecraft::bf16;

constexpr int kThreads = 128;
constexpr int kWarp = 32;

/// grid: (as many blocks as cover out_width, rows)   block: kThreads, a thread an output
__global__ void naive_kernel(const float* x,      // (rows, in)
                             const bf16* weight,  // (out_width, in)
                             float* out,          // (rows, out_width)
                             int in, int out_width) {
  // >>> LAB lab01.t3/naive  about 3 lines   (edit only between the arrows)
  // TODO(lab01.t3): this thread's output is a dot product of a row of x and a row of weight: stagecraft::exact_dot.
  const int o = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = int(blockIdx.y);
  if (o < out_width) out[row * out_width + o] = stagecraft::exact_dot(x + row * in, weight + int64_t(o) * in, in);
  // <<< LAB lab01.t3/naive
}

/// grid: (as many blocks as cover out_width, rows)   block: (kWarp, kThreads / kWarp), a warp an output
__global__ void coalesced_kernel(const float* x,      // (rows, in)
                                 const bf16* weight,  // (out_width, in)
                                 float* out,          // (rows, out_width)
                                 int in, int out_width) {
  // >>> LAB lab01.t3/coalesced  about 14 lines   (edit only between the arrows)
  // TODO(lab01.t3): the 32 threads of a warp share one output. Lane l holds partial sums l and l + 32 of the canonical 64;
  // fmaf adds a product. Then the warp folds them with __shfl_xor_sync, and one lane stores.
  const int lane = int(threadIdx.x);
  const int o = int(blockIdx.x * blockDim.y + threadIdx.y);
  const int row = int(blockIdx.y);
  if (o >= out_width) return;  // the whole warp leaves
  const float* x_row = x + row * in;
  const bf16* w_row = weight + int64_t(o) * in;
  float low = 0.0f, high = 0.0f;
  for (int k = lane; k < in; k += stagecraft::kPartialSums) {
    low = fmaf(x_row[k], to_float(w_row[k]), low);
    if (k + kWarp < in) high = fmaf(x_row[k + kWarp], to_float(w_row[k + kWarp]), high);
  }
  float sum = low + high;
  for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
  if (lane == 0) out[row * out_width + o] = sum;
  // <<< LAB lab01.t3/coalesced
}

}  // namespace

void linear_naive(const float* x, const bf16* weight, float* out, int rows, int in, int out_width) {
  const dim3 grid((out_width + kThreads - 1) / kThreads, rows);
  simt::launch(naive_kernel, {grid, dim3(kThreads)}, x, weight, out, in, out_width);
}

void linear_coalesced(const float* x, const bf16* weight, float* out, int rows, int in, int out_width) {
  constexpr int kWarps = kThreads / kWarp;
  const dim3 grid((out_width + kWarps - 1) / kWarps, rows);
  simt::launch(coalesced_kernel, {grid, dim3(kWarp, kWarps)}, x, weight, out, in, out_width);
}

}  // namespace lab01
