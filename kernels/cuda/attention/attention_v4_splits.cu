/// @file
/// Attention, version 4: one block a row, key/value head and tile of keys; a second kernel merges the tiles in order.
/// The version that the engine runs when there are few rows: a decode step at batch 1 spreads over all of the GPU.
///
///     q, out        (rows, heads, head_dim)         fp32
///     keys, values  (slots, kv_heads, head_dim)     bf16, fp16 or fp32
///     softmaxes     (rows, heads, tiles)            scratch
///     partials      (rows, heads, tiles, head_dim)  scratch: a tile's weighted values
///
/// Changed from version 3: tiles are computed at the same time and kept apart. Merging is no associative operation in
/// floating point, so the split has the fixed length of a tile and the merge the fixed order of positions (EXACTNESS
/// R3): the bits do not depend on how many blocks there were. Also known as flash decoding.
#include "kernels/cuda/attention/shared_tiles.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

/// The states of all tiles of all queries. Tile 0 is the first tile that the query sees.
struct TileStates {
  SoftmaxState* softmaxes;  // (rows, heads, tiles)
  float* partials;          // (rows, heads, tiles, head_dim)
  int tiles;

  __device__ int64_t index(int64_t query, int64_t tile) const { return query * tiles + tile; }
};
static_assert(sizeof(SoftmaxState) == 2 * sizeof(float), "scratch is counted in floats");

/// grid: (tiles, rows, kv_heads * ceil(queries a kv head / heads_per_block))
/// block: (32, up to kWarpsPerBlock)   shared: SharedLayout
template <class T, class Address>
__global__ void one_tile(const float* q,  // (rows, heads, head_dim)
                         StoredKv<T, Address> stored, RaggedRows who, TileStates out, AttentionShape shape,
                         int heads_per_block, bool by_eights) {
  SIMT_DYN_SHARED(unsigned char, memory);
  const SharedTiles<T> shared(memory, shape.head_dim);
  const int group = shape.heads / shape.kv_heads;
  const int blocks_per_group = int(ceil_div(group, heads_per_block));
  const int kv_head = blockIdx.z / blocks_per_group;
  const int first_in_group = int(blockIdx.z) % blocks_per_group * heads_per_block;
  const int64_t row = blockIdx.y;
  const BlockQueries block{row, 1, kv_head * group + first_in_group, min(heads_per_block, group - first_in_group)};

  const Positions keys = visible_keys(who.positions[row], shape.window);
  const int64_t tile = keys.first_tile() + blockIdx.x;
  if (tile >= keys.end_tile()) return;  // the whole block: this row has fewer tiles than the longest
  const KvHead kv(stored, shape, who.sequence[row], kv_head);
  QueryState states[kQueriesPerWarp];
  attend_tiles(q, kv, who, shape, block, keys, tile, tile + 1, shared, by_eights, states);

  SIMT_UNROLL
  for (int n = 0; n < kQueriesPerWarp; ++n) {
    const int i = n * int(blockDim.y) + int(threadIdx.y);
    if (i >= block.count()) break;
    const int64_t slot = out.index(row * shape.heads + block.head(i), blockIdx.x);
    if (threadIdx.x == 0) out.softmaxes[slot] = states[n].softmax;
    states[n].values.store(out.partials + slot * shape.head_dim, shape.head_dim);
  }
}

constexpr int kMergeWarps = 4;

/// grid: ceil(rows * heads / kMergeWarps)   block: (32, kMergeWarps). A warp merges the tiles of one row and head.
__global__ void merge_tiles(TileStates from, RaggedRows who,
                            float* out,  // (rows, heads, head_dim)
                            AttentionShape shape) {
  const int64_t query = int64_t(blockIdx.x) * kMergeWarps + threadIdx.y;
  if (query >= int64_t(who.rows) * shape.heads) return;
  const Positions keys = visible_keys(who.positions[query / shape.heads], shape.window);
  const int64_t tiles = keys.end_tile() - keys.first_tile();

  QueryState state;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const int64_t slot = from.index(query, tile);
    LaneValues values;
    values.load(from.partials + slot * shape.head_dim, shape.head_dim);
    state.take(from.softmaxes[slot], values, tile == 0);
  }
  state.finish(out + query * shape.head_dim, shape.head_dim);
}

}  // namespace

int64_t splits_scratch(const AttentionShape& shape, int rows, int longest_kv) {
  constexpr int64_t kFloatsOfSoftmax = 2;
  return int64_t(rows) * shape.heads * most_tiles(shape, longest_kv) * (kFloatsOfSoftmax + shape.head_dim);
}

void attention_v4_splits(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
                         float* scratch, Stream stream) {
  const int group = shape.heads / shape.kv_heads;
  const int heads_per_block = group < kQueries ? group : kQueries;
  const int tiles = int(most_tiles(shape, who.longest_kv));
  const int64_t queries = int64_t(who.rows) * shape.heads;
  const TileStates states{reinterpret_cast<SoftmaxState*>(scratch), scratch + 2 * queries * tiles, tiles};
  const dim3 grid(tiles, who.rows, shape.kv_heads * blocks_for(group, heads_per_block));
  const dim3 block(kWarp, heads_per_block < kWarpsPerBlock ? heads_per_block : kWarpsPerBlock);

  with_stored_kv(kv, [&]<class T, class Address>(const StoredKv<T, Address>& stored) {
    launch("attention_v4_splits", one_tile<T, Address>, grid, block, SharedLayout::of<T>(shape.head_dim).bytes, stream,
           q, stored, who, states, shape, heads_per_block, head_loads_by_eights(q, kv, shape));
  });
  launch("attention_v4_merge", merge_tiles, dim3(blocks_for(queries, kMergeWarps)), dim3(kWarp, kMergeWarps), 0, stream,
         states, who, out, shape);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
