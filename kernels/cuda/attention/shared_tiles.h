#pragma once
/// @file
/// A block's work on tiles of keys that lie in shared memory, which versions 3 and 4 of attention have in common.
///
/// A block has up to eight queries: rows of one sequence x query heads that read the same key/value head. Its threads
/// bring a tile of 64 keys to shared memory by coalesced 16-byte loads, once for all of these queries; then each warp
/// takes its queries one after the other, a lane two keys of the tile. The values follow through the same memory.
///
///     tile     (64, row_stride)      T      keys, then values
///     queries  (kQueries, head_dim)  fp32
///     weights  (kQueries, 64)        fp32
///     offsets  (64)                  int64  where the tile's keys and values lie in the cache
///
/// row_stride is head_dim and 16 bytes more: so eight neighbouring lanes, which read 16 bytes each from eight rows, meet
/// all 32 banks.
#include "kernels/cuda/attention/warp_softmax.h"
#include "kernels/cuda/chunk.h"

namespace stagecraft::STAGECRAFT_TARGET {

inline constexpr int kWarpsPerBlock = 4;
inline constexpr int kQueriesPerWarp = 2;
inline constexpr int kQueries = kWarpsPerBlock * kQueriesPerWarp;

/// The queries of a block, numbered row by row and in a row head by head.
struct BlockQueries {
  int64_t first_row;
  int rows;
  int first_head, heads;

  __device__ int count() const { return rows * heads; }
  __device__ int64_t row(int query) const { return first_row + query / heads; }
  __device__ int head(int query) const { return first_head + query % heads; }
};

/// The next multiple of eight: a row in shared memory is read by eights to its end.
STAGECRAFT_HD constexpr int padded(int head_dim) { return (head_dim + 7) / 8 * 8; }

/// Where the parts of a block's shared memory lie, in bytes from its start.
struct SharedLayout {
  int row_stride;  // elements
  int query_stride;
  size_t queries, weights, softmaxes, offsets, bytes;

  template <class T>
  static STAGECRAFT_HD SharedLayout of(int head_dim) {
    constexpr int kBytesPerLoad = 16, kPerLoad = kBytesPerLoad / int(sizeof(T));
    SharedLayout layout{};
    layout.query_stride = padded(head_dim);
    layout.row_stride = layout.query_stride + kPerLoad;
    layout.queries = size_t(kAttentionTile) * size_t(layout.row_stride) * sizeof(T);
    layout.weights = layout.queries + size_t(kQueries * layout.query_stride) * sizeof(float);
    layout.softmaxes = layout.weights + size_t(kQueries * kAttentionTile) * sizeof(float);
    layout.offsets = layout.softmaxes + kQueries * sizeof(SoftmaxState);
    layout.bytes = layout.offsets + kAttentionTile * sizeof(int64_t);
    return layout;
  }
};

/// Pointers into the block's shared memory.
template <class T>
struct SharedTiles {
  SharedLayout layout;
  T* tile;
  float* queries;
  float* weights;
  SoftmaxState* softmaxes;
  int64_t* offsets;  // (kAttentionTile) of each key that is stored of the tile, in the keys and in the values

  __device__ SharedTiles(unsigned char* memory, int head_dim)
      : layout(SharedLayout::of<T>(head_dim)),
        tile(reinterpret_cast<T*>(memory)),
        queries(reinterpret_cast<float*>(memory + layout.queries)),
        weights(reinterpret_cast<float*>(memory + layout.weights)),
        softmaxes(reinterpret_cast<SoftmaxState*>(memory + layout.softmaxes)),
        offsets(reinterpret_cast<int64_t*>(memory + layout.offsets)) {}

  __device__ T* tile_row(int64_t key_in_tile) const { return tile + key_in_tile * layout.row_stride; }
  __device__ float* query(int i) const { return queries + i * layout.query_stride; }
  __device__ float* weights_of(int i) const { return weights + i * kAttentionTile; }
};

/// Copies `count` rows of `width` elements, the i-th from from(i) to to(i), by all threads of the block: by 16-byte
/// loads, or one by one, and then with zeros up to a multiple of eight.
template <class From, class To>
__device__ inline void copy_rows(bool by_eights, int count, int width, From from, To to) {
  using T = std::decay_t<decltype(*to(0))>;
  constexpr int kPerLoad = 16 / int(sizeof(T));
  const int columns = by_eights ? width / kPerLoad : padded(width);
  const int thread = threadIdx.y * kWarp + threadIdx.x, threads = blockDim.y * kWarp;
  for (int i = thread; i < count * columns; i += threads) {
    const int row = i / columns, column = i % columns;
    if (by_eights) {
      reinterpret_cast<uint4*>(to(row))[column] = reinterpret_cast<const uint4*>(from(row))[column];
    } else {
      to(row)[column] = column < width ? from(row)[column] : T{};
    }
  }
}

/// Looks up where the keys at `stored`, of one tile, lie. One lookup a key, by as many threads at once: whatever the
/// address costs is not paid again for each 16 bytes that are loaded.
template <class T, class Address>
__device__ inline void locate_keys(const KvHead<T, Address>& kv, Positions stored, int64_t* offsets) {
  const int thread = threadIdx.y * kWarp + threadIdx.x, threads = blockDim.y * kWarp;
  for (int i = thread; i < stored.last - stored.first; i += threads) offsets[i] = kv.offset(stored.first + i);
}

/// The positions that at least one query of the block sees.
__device__ inline Positions seen_by_any(const BlockQueries& block, const RaggedRows& who, int window) {
  Positions all = visible_keys(who.positions[block.first_row], window);
  for (int r = 1; r < block.rows; ++r) {
    const Positions keys = visible_keys(who.positions[block.first_row + r], window);
    all = {all.first < keys.first ? all.first : keys.first, all.last > keys.last ? all.last : keys.last};
  }
  return all;
}

/// Scores one query against the tile in shared memory: its weights go to shared memory, its state to all lanes.
template <class T>
__device__ inline SoftmaxState score_tile(const SharedTiles<T>& shared, int query, Positions keys, int64_t tile_start,
                                          const AttentionShape& shape) {
  LaneScores scores{};
  SIMT_UNROLL
  for (int half = 0; half < 2; ++half) {
    const int key = int(threadIdx.x) + half * kWarp;
    scores.seen[half] = keys.contains(tile_start + key);
    if (!scores.seen[half]) continue;
    const float dot = dot_in_lane<Loads::by_eights>(shared.query(query), shared.tile_row(key), shape.head_dim);
    scores.score[half] = dot * shape.scale;
  }
  return softmax_of_tile(scores, shared.weights_of(query));
}

/// The weighted sum of the tile's values, in increasing position, for one query.
template <class T>
__device__ inline LaneValues weigh_values(const SharedTiles<T>& shared, int query, Positions seen, int64_t tile_start,
                                          int head_dim) {
  LaneValues values;
  for (int64_t p = seen.first; p < seen.last; ++p) {
    values.add(shared.weights_of(query)[p - tile_start], shared.tile_row(p - tile_start), head_dim);
  }
  return values;
}

/// Takes the tiles [first_tile, end_tile) of `kv` for the block's queries: query n * blockDim.y + (this warp) goes to
/// states[n]. All threads of the block call it; `all_keys` is what seen_by_any returns, `by_eights` what
/// head_loads_by_eights does.
template <class T, class Address>
__device__ inline void attend_tiles(const float* q,  // (rows, heads, head_dim)
                                    const KvHead<T, Address>& kv, const RaggedRows& who, const AttentionShape& shape,
                                    const BlockQueries& block, Positions all_keys, int64_t first_tile, int64_t end_tile,
                                    const SharedTiles<T>& shared, bool by_eights,
                                    QueryState (&states)[kQueriesPerWarp]) {
  const int head_dim = shape.head_dim, warp = threadIdx.y, warps = blockDim.y;
  const auto keys_of = [&](int query) { return visible_keys(who.positions[block.row(query)], shape.window); };
  copy_rows(
      by_eights, block.count(), head_dim,
      [&](int i) { return q + (block.row(i) * shape.heads + block.head(i)) * head_dim; },
      [&](int i) { return shared.query(i); });
  locate_keys(kv, all_keys.in_tile(first_tile), shared.offsets);
  __syncthreads();

  for (int64_t tile = first_tile; tile < end_tile; ++tile) {
    const Positions stored = all_keys.in_tile(tile);
    const int64_t tile_start = tile * kAttentionTile;
    const int count = int(stored.last - stored.first);
    const auto tile_row = [&](int i) { return shared.tile_row(stored.first - tile_start + i); };

    copy_rows(
        by_eights, count, head_dim, [&](int i) { return kv.stored.keys + shared.offsets[i]; }, tile_row);
    __syncthreads();
    for (int i = warp; i < block.count(); i += warps) {
      const SoftmaxState softmax = score_tile(shared, i, keys_of(i), tile_start, shape);
      if (threadIdx.x == 0) shared.softmaxes[i] = softmax;
    }
    __syncthreads();

    copy_rows(
        by_eights, count, head_dim, [&](int i) { return kv.stored.values + shared.offsets[i]; }, tile_row);
    __syncthreads();
    SIMT_UNROLL
    for (int n = 0; n < kQueriesPerWarp; ++n) {
      const int i = n * warps + warp;
      if (i >= block.count()) break;
      const Positions keys = keys_of(i), seen = keys.in_tile(tile);
      if (seen.empty()) continue;
      const LaneValues values = weigh_values(shared, i, seen, tile_start, head_dim);
      states[n].take(shared.softmaxes[i], values, tile == keys.first_tile());
    }
    if (tile + 1 < end_tile) locate_keys(kv, all_keys.in_tile(tile + 1), shared.offsets);
    __syncthreads();  // the next tile overwrites this one
  }
}

}  // namespace stagecraft::STAGECRAFT_TARGET
