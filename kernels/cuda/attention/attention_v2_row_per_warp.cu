/// @file
/// Attention, version 2: one warp a row and head.
///
///     q, out        (rows, heads, head_dim)      fp32
///     keys, values  (slots, kv_heads, head_dim)  bf16, fp16 or fp32
///
/// Changed from version 1: the 32 lanes share a tile's 64 keys, two each, and later the elements of the output. No
/// local memory is left, and values are read coalesced. What is left: each lane reads a key of its own, a whole row
/// apart from its neighbour's, and the query heads of one key/value head read the same keys again.
#include "kernels/cuda/attention/warp_softmax.h"
#include "kernels/cuda/chunk.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kWarpsPerBlock = 4;

/// grid: ceil(rows * heads / kWarpsPerBlock)   block: (32, kWarpsPerBlock)
template <class T, class Address>
__global__ void row_per_warp(const float* q,  // (rows, heads, head_dim)
                             StoredKv<T, Address> stored, RaggedRows who,
                             float* out,  // (rows, heads, head_dim)
                             AttentionShape shape) {
  __shared__ float weights_of_warps[kWarpsPerBlock][kAttentionTile];
  float* weights = weights_of_warps[threadIdx.y];
  const int64_t query = int64_t(blockIdx.x) * kWarpsPerBlock + threadIdx.y;
  if (query >= int64_t(who.rows) * shape.heads) return;  // a whole warp leaves
  const int64_t row = query / shape.heads;
  const int head = int(query % shape.heads);
  const KvHead kv(stored, shape, who.sequence[row], head / (shape.heads / shape.kv_heads));
  const Positions keys = visible_keys(who.positions[row], shape.window);
  const float* query_row = q + query * shape.head_dim;

  QueryState state;
  for (int64_t tile = keys.first_tile(); tile < keys.end_tile(); ++tile) {
    const int64_t tile_start = tile * kAttentionTile;
    LaneScores scores{};
    SIMT_UNROLL
    for (int half = 0; half < 2; ++half) {
      const int64_t key = tile_start + threadIdx.x + half * kWarp;
      scores.seen[half] = keys.contains(key);
      if (scores.seen[half]) {
        scores.score[half] = dot_in_lane<Loads::by_ones>(query_row, kv.key(key), kv.head_dim) * shape.scale;
      }
    }
    const SoftmaxState softmax = softmax_of_tile(scores, weights);
    __syncwarp();

    LaneValues values;
    const Positions seen = keys.in_tile(tile);
    for (int64_t p = seen.first; p < seen.last; ++p) values.add(weights[p - tile_start], kv.value(p), kv.head_dim);
    __syncwarp();  // the next tile overwrites the weights
    state.take(softmax, values, tile == keys.first_tile());
  }
  state.finish(out + query * shape.head_dim, shape.head_dim);
}

}  // namespace

void attention_v2_row_per_warp(const float* q, KvView kv, const RaggedRows& who, float* out,
                               const AttentionShape& shape, float*, Stream stream) {
  with_stored_kv(kv, [&]<class T, class Address>(const StoredKv<T, Address>& stored) {
    const auto kernel = row_per_warp<T, Address>;
    launch("attention_v2_row_per_warp", kernel, dim3(blocks_for(int64_t(who.rows) * shape.heads, kWarpsPerBlock)),
           dim3(kWarp, kWarpsPerBlock), 0, stream, q, stored, who, out, shape);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
