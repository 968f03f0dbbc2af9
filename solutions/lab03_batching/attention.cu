/// @file
/// Lab 3, task 2: attention of a ragged batch, where a row's keys end where its own sequence does. A warp a row and head;
/// what does not exist is skipped by a comparison, never multiplied by zero. The contract:
/// labs/lab03_batching/include/batching.h.
#include "batching.h"
#include "kernels/exact_math.h"
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"

namespace lab03 {
namespace {

using stagecraft::bf16;
using stagecraft::kAttentionTile;
using stagecraft::SoftmaxState;

constexpr int kWarp = 32;
constexpr int kWarps = 4;
constexpr int kElementsPerLane = kMaxHeadDim / kWarp;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// What a warp knows after some keys: all lanes the softmax state, lane l the elements l, l + 32, ... of the weighted
/// values.
struct Attended {
  SoftmaxState softmax;
  float values[kElementsPerLane] = {};
};

/// One query against the first `visible` keys of a tile, 1 <= visible <= kAttentionTile. All lanes of a warp call it. What
/// lies behind the visible keys may belong to another request, or to nobody.
__device__ Attended attend_tile(const float* query,  // (head_dim)
                                const bf16* keys,    // of this head, from the tile's first key; the next is `stride` on
                                const bf16* values,  // likewise
                                int64_t stride, int visible, int head_dim, float scale,
                                float* weights) {  // (kAttentionTile) shared memory of this warp
  // >>> LAB lab03.t2/tile  about 22 lines   (edit only between the arrows)
  // TODO(lab03.t2): lane l has keys l and l + kWarp of the tile. Scores of those that are visible; the warp's largest by
  // shuffles; weights into `weights`, +0 where nothing is seen; their sum by the fold; then each lane adds up its
  // elements of the visible values.
  const int lane = int(threadIdx.x);
  Attended tile;
  float score[2];
  for (int half = 0; half < 2; ++half) {
    const int key = lane + half * kWarp;
    if (key >= visible) continue;
    score[half] = stagecraft::exact_dot(query, keys + key * stride, head_dim) * scale;
    tile.softmax.max = fmaxf(tile.softmax.max, score[half]);
  }
  for (int step = kWarp / 2; step > 0; step /= 2) {
    tile.softmax.max = fmaxf(tile.softmax.max, __shfl_xor_sync(kAllLanes, tile.softmax.max, step));
  }

  float weight[2] = {};
  for (int half = 0; half < 2; ++half) {
    const int key = lane + half * kWarp;
    if (key < visible) weight[half] = stagecraft::exact_exp(score[half] - tile.softmax.max);
    weights[key] = weight[half];
  }
  tile.softmax.sum = weight[0] + weight[1];
  for (int step = kWarp / 2; step > 0; step /= 2) {
    tile.softmax.sum += __shfl_xor_sync(kAllLanes, tile.softmax.sum, step);
  }

  __syncwarp();  // every lane reads the weights of all
  for (int key = 0; key < visible; ++key) {
    for (int d = lane, i = 0; d < head_dim; d += kWarp, ++i) {
      tile.values[i] = fmaf(weights[key], to_float(values[key * stride + d]), tile.values[i]);
    }
  }
  __syncwarp();  // the next tile overwrites them
  return tile;
  // <<< LAB lab03.t2/tile
}

/// Merges a later tile into what was there (lab 2).
__device__ void take(Attended& earlier, const Attended& later) {
  const stagecraft::MergeWeights scale = stagecraft::merge(earlier.softmax, later.softmax);
  for (int i = 0; i < kElementsPerLane; ++i) {
    earlier.values[i] = fmaf(earlier.values[i], scale.earlier, later.values[i] * scale.later);
  }
}

/// grid: as many blocks as cover rows * heads   block: (kWarp, kWarps), a warp a row and head
__global__ void attention_kernel(const float* q,      // (rows, heads, head_dim)
                                 const bf16* keys,    // (slots, kv_heads, head_dim)
                                 const bf16* values,  // (slots, kv_heads, head_dim)
                                 Rows rows,
                                 float* out,  // (rows, heads, head_dim)
                                 int heads, int kv_heads, int head_dim, float scale) {
  __shared__ float weights_of_warps[kWarps][kAttentionTile];
  // >>> LAB lab03.t2/row  about 22 lines   (edit only between the arrows)
  // TODO(lab03.t2): which row and head is this warp's? A padding row gets zeros. Else walk the tiles of its own sequence:
  // attend_tile for each, the first copied, the others merged with take; then divide by the sum and store.
  const int lane = int(threadIdx.x);
  const int64_t query = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  if (query >= int64_t(rows.count) * heads) return;  // the whole warp leaves
  const int64_t row = query / heads;
  const int head = int(query % heads) / (heads / kv_heads);
  float* result = out + query * head_dim;
  const int32_t sequence = rows.sequence[row];
  if (sequence == kPaddingRow) {
    for (int d = lane; d < head_dim; d += kWarp) result[d] = 0.0f;
    return;
  }

  const int64_t stride = int64_t(kv_heads) * head_dim;
  const int seen = rows.positions[row] + 1;
  Attended all;
  for (int first = 0; first < seen; first += kAttentionTile) {
    const int64_t at = (rows.first_slot[sequence] + first) * stride + head * head_dim;
    const Attended tile =
        attend_tile(q + query * head_dim, keys + at, values + at, stride, min(kAttentionTile, seen - first), head_dim,
                    scale, weights_of_warps[threadIdx.y]);
    if (first == 0) {
      all = tile;
    } else {
      take(all, tile);
    }
  }
  for (int d = lane, i = 0; d < head_dim; d += kWarp, ++i) result[d] = all.values[i] / all.softmax.sum;
  // <<< LAB lab03.t2/row
}

}  // namespace

void attention(const float* q, const bf16* keys, const bf16* values, const Rows& rows, float* out, int heads,
               int kv_heads, int head_dim, float scale) {
  const dim3 grid((rows.count * heads + kWarps - 1) / kWarps);
  simt::launch(attention_kernel, {grid, dim3(kWarp, kWarps)}, q, keys, values, rows, out, heads, kv_heads, head_dim,
               scale);
}

}  // namespace lab03
