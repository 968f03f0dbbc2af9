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
  LAB_TODO("lab03.t1");
  // <<< LAB lab03.t1
}

constexpr int blocks_for(int count, int each) { return (count + each - 1) / each; }

}  // namespace

void linear(const float* x, const bf16* weight, float* out, int rows, int in, int out_width) {
  const dim3 grid(blocks_for(out_width, kWarps * kOutputTile), blocks_for(rows, kRowTile));
  simt::launch(linear_kernel, {grid, dim3(kWarp, kWarps)}, x, weight, out, rows, in, out_width);
}

}  // namespace lab03
