/// @file
/// Lab 3, task 1: a product whose weights are read once for several rows. The contract:
/// labs/lab03_batching/include/batching.h.
#include "batching.h"
#include "kernels/exact_math.h"
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"

namespace lab03 {
namespace {

using stagecraft::bf16;
using stagecraft::kPartialSums;

constexpr int kWarp = 32;
constexpr int kWarps = 4;

/// grid: (as many blocks as cover out_width, as many tiles as cover rows)   block: (kWarp, kWarps), a warp a tile
__global__ void linear_kernel(const float* x,      // (rows, in)
                              const bf16* weight,  // (out_width, in)
                              float* out,          // (rows, out_width)
                              int rows, int in, int out_width) {
  // >>> LAB lab03.t1  about 28 lines   (edit only between the arrows)
  // TODO(lab03.t1): this warp computes kRowTile rows x kOutputTile outputs, and fewer at the edges. Its lanes walk along
  // `in` once: load the weights of the outputs, then use them for all rows. Then fold and store each of the sums.
  const int lane = int(threadIdx.x);
  const int first_output = int(blockIdx.x * blockDim.y + threadIdx.y) * kOutputTile;
  const int first_row = int(blockIdx.y) * kRowTile;
  if (first_output >= out_width) return;  // the whole warp leaves
  const int outputs = min(kOutputTile, out_width - first_output);
  const int tile_rows = min(kRowTile, rows - first_row);

  float partial[2][kRowTile][kOutputTile] = {};  // of this lane: partial sums lane and lane + kWarp
  for (int chunk = 0; chunk < in; chunk += kPartialSums) {
    for (int half = 0; half < 2; ++half) {
      const int k = chunk + half * kWarp + lane;
      if (k >= in) continue;
      float w[kOutputTile];
      for (int o = 0; o < outputs; ++o) w[o] = to_float(weight[int64_t(first_output + o) * in + k]);
      for (int r = 0; r < tile_rows; ++r) {
        const float element = x[int64_t(first_row + r) * in + k];
        for (int o = 0; o < outputs; ++o) partial[half][r][o] = fmaf(element, w[o], partial[half][r][o]);
      }
    }
  }

  for (int r = 0; r < tile_rows; ++r) {
    for (int o = 0; o < outputs; ++o) {
      float sum = partial[0][r][o] + partial[1][r][o];
      for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
      if (lane == 0) out[int64_t(first_row + r) * out_width + first_output + o] = sum;
    }
  }
  // <<< LAB lab03.t1
}

constexpr int blocks_for(int count, int each) { return (count + each - 1) / each; }

}  // namespace

void linear(const float* x, const bf16* weight, float* out, int rows, int in, int out_width) {
  const dim3 grid(blocks_for(out_width, kWarps * kOutputTile), blocks_for(rows, kRowTile));
  simt::launch(linear_kernel, {grid, dim3(kWarp, kWarps)}, x, weight, out, rows, in, out_width);
}

}  // namespace lab03
