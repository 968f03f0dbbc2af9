/// @file
/// Linear, version 4: a group of eight lanes computes a tile of rows x outputs, so that weights are read once for all
/// of its rows. The version that the engine runs.
///
///     x (rows, in) fp32   weight (out_width, in)   bias (out_width) or none   out (rows, out_width) fp32
///
/// Changed from version 3: the partial sums of up to 8 rows x 2 outputs stay in registers; a weight that was loaded is
/// used for 8 rows, an element of x for 2 outputs. With more rows than one tile has, the warps of a block take
/// different rows of the same outputs, so their weights come from the L1 cache. A single row instead keeps the weights
/// of 4 chunks in flight at once: then it is bound by memory and by nothing else.
#include "kernels/cuda/chunk.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kWarpsPerBlock = 4;

/// What one group computes.
template <class T, int kRows, int kOutputs>
struct Tile {
  const float* x[kRows];      // each a row of x
  const T* weight[kOutputs];  // each a row of the weights
  float partial[kRows][kOutputs][kPartialsPerLane];
};

/// Adds elements k ... k + 7 of `kChunks` chunks to the tile's partial sums. All weights are loaded before one is used.
template <Loads kLoads, int kChunks, class T, int kRows, int kOutputs>
__device__ inline void add_chunks(Tile<T, kRows, kOutputs>& tile, int k, int in) {
  Eight w[kChunks][kOutputs];
  SIMT_UNROLL
  for (int c = 0; c < kChunks; ++c) {
    SIMT_UNROLL
    for (int o = 0; o < kOutputs; ++o) w[c][o] = load_chunk<kLoads>(tile.weight[o], k + c * kPartialSums, in);
  }
  SIMT_UNROLL
  for (int c = 0; c < kChunks; ++c) {
    const int first = k + c * kPartialSums;
    SIMT_UNROLL
    for (int r = 0; r < kRows; ++r) {
      const Eight x = load_chunk<kLoads>(tile.x[r], first, in);
      SIMT_UNROLL
      for (int o = 0; o < kOutputs; ++o) accumulate<kLoads>(tile.partial[r][o], x, w[c][o], first, in);
    }
  }
}

/// grid: (ceil(out_width / (kWarpsPerBlock / row_warps) / kGroupsPerWarp / kOutputs), ceil(rows / kRows / row_warps))
/// block: (32, kWarpsPerBlock), of which `row_warps` take different rows and the others different outputs
template <class T, Loads kLoads, int kRows, int kOutputs, int kChunks>
__global__ void register_tiles(const float* x,   // (rows, in)
                               const T* weight,  // (out_width, in)
                               WeightView bias,  // (out_width)
                               float* out,       // (rows, out_width)
                               int rows, int in, int out_width, int row_warps) {
  const int group = threadIdx.x / kGroupLanes, lane = threadIdx.x % kGroupLanes;
  const int row_warp = threadIdx.y % row_warps, output_warp = threadIdx.y / row_warps;
  const int64_t first_row = (int64_t(blockIdx.y) * row_warps + row_warp) * kRows;
  const int64_t output_tile = int64_t(blockIdx.x) * (kWarpsPerBlock / row_warps) + output_warp;
  const int64_t first_output = (output_tile * kGroupsPerWarp + group) * kOutputs;
  if (first_row >= rows) return;  // a whole warp leaves

  // A tile may reach over the edge. It computes the last row or output again and does not store it: all lanes stay for
  // the shuffles, and nothing is read that is not there.
  Tile<T, kRows, kOutputs> tile = {};
  SIMT_UNROLL
  for (int r = 0; r < kRows; ++r) tile.x[r] = x + (first_row + r < rows ? first_row + r : rows - 1) * in;
  SIMT_UNROLL
  for (int o = 0; o < kOutputs; ++o) {
    tile.weight[o] = weight + (first_output + o < out_width ? first_output + o : out_width - 1) * in;
  }

  int chunk = 0;
  const int k = lane * kPartialsPerLane;
  for (; chunk + kChunks * kPartialSums <= in; chunk += kChunks * kPartialSums) {
    add_chunks<kLoads, kChunks>(tile, chunk + k, in);
  }
  for (; chunk + k < in; chunk += kPartialSums) add_chunks<kLoads, 1>(tile, chunk + k, in);

  SIMT_UNROLL
  for (int r = 0; r < kRows; ++r) {
    SIMT_UNROLL
    for (int o = 0; o < kOutputs; ++o) {
      const float sum = fold_in_group(tile.partial[r][o]);
      const int64_t row = first_row + r, output = first_output + o;
      const bool mine = lane == (r * kOutputs + o) % kGroupLanes;
      if (mine && row < rows && output < out_width) {
        out[row * out_width + output] = bias.data ? sum + element(bias, output) : sum;
      }
    }
  }
}

/// Warps of a block that take different rows: as many as there are row tiles, up to all.
int row_warps_for(int row_tiles) { return row_tiles >= kWarpsPerBlock ? kWarpsPerBlock : row_tiles >= 2 ? 2 : 1; }

template <Loads kLoads, int kRows, int kOutputs, int kChunks, class T>
void launch_tiles(const float* x, const T* weight, WeightView bias, float* out, int rows, int in, int out_width,
                  Stream stream) {
  const int row_warps = row_warps_for(static_cast<int>(ceil_div(rows, kRows)));
  const int outputs_per_block = kWarpsPerBlock / row_warps * kGroupsPerWarp * kOutputs;
  const dim3 grid(blocks_for(out_width, outputs_per_block), blocks_for(rows, kRows * row_warps));
  launch("linear_v4_register_tiles", register_tiles<T, kLoads, kRows, kOutputs, kChunks>, grid,
         dim3(kWarp, kWarpsPerBlock), 0, stream, x, weight, bias, out, rows, in, out_width, row_warps);
}

}  // namespace

void linear_v4_register_tiles(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                              int out_width, Stream stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    const bool by_eights = rows_load_by_eights(w, in) && rows_load_by_eights(x, in);
    const auto launcher = [&] {
      using T = std::decay_t<decltype(*w)>;
      if (!by_eights)
        return rows == 1 ? launch_tiles<Loads::by_ones, 1, 1, 1, T> : launch_tiles<Loads::by_ones, 4, 1, 1, T>;
      if (rows == 1) return launch_tiles<Loads::by_eights, 1, 1, 4, T>;
      if (rows == 2) return launch_tiles<Loads::by_eights, 2, 2, 2, T>;
      if (rows <= 4) return launch_tiles<Loads::by_eights, 4, 2, 1, T>;
      return launch_tiles<Loads::by_eights, 8, 2, 1, T>;
    }();
    launcher(x, w, bias, out, rows, in, out_width, stream);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
