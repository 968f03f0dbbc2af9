#pragma once
/// @file
/// Which keys a query sees, and where they lie.
#include "kernels/cuda/launch.h"
#include "kernels/exact_math.h"

namespace stagecraft::STAGECRAFT_TARGET {

/// The largest head_dim that these kernels take. Even, too: a lane holds pairs of elements.
inline constexpr int kMaxHeadDim = 256;

/// The positions [first, last).
struct Positions {
  int64_t first, last;

  __device__ bool contains(int64_t position) const { return first <= position && position < last; }
  __device__ bool empty() const { return first >= last; }
  __device__ int64_t first_tile() const { return first / kAttentionTile; }
  __device__ int64_t end_tile() const { return (last + kAttentionTile - 1) / kAttentionTile; }
  /// What of them lies in one tile.
  __device__ Positions in_tile(int64_t tile) const {
    const int64_t start = tile * kAttentionTile, end = start + kAttentionTile;
    return {first > start ? first : start, last < end ? last : end};
  }
};

/// The keys that a query at `position` sees: causal, and with a sliding window if there is one.
__device__ inline Positions visible_keys(int64_t position, int window) {
  const int64_t first = position - window + 1;
  return {window == kNoWindow || first < 0 ? 0 : first, position + 1};
}

/// The most tiles that one query's visible keys lie in.
inline int64_t most_tiles(const AttentionShape& shape, int longest_kv) {
  const int64_t all = ceil_div(longest_kv, kAttentionTile);
  if (shape.window == kNoWindow) return all;
  // Keys first ... first + window - 1; the worst case is a first key that is the last of its tile.
  const int64_t under_window = ceil_div(shape.window - 1, kAttentionTile) + 1;
  return under_window < all ? under_window : all;
}

/// True if queries, keys and values of a head can be read eight elements at a time.
inline bool head_loads_by_eights(const float* q, const KvView& kv, const AttentionShape& shape) {
  return rows_load_by_eights(q, shape.head_dim) && rows_load_by_eights(kv.keys, shape.head_dim) &&
         rows_load_by_eights(kv.values, shape.head_dim);
}

/// The keys and values of one sequence that one key/value head holds.
template <class T, class Address>
struct KvHead {
  StoredKv<T, Address> stored;
  int64_t sequence;
  int kv_head, kv_heads, head_dim;

  __device__ KvHead(const StoredKv<T, Address>& kv, const AttentionShape& shape, int64_t sequence_index, int head)
      : stored(kv), sequence(sequence_index), kv_head(head), kv_heads(shape.kv_heads), head_dim(shape.head_dim) {}

  __device__ int64_t offset(int64_t position) const {
    return (stored.address.slot(sequence, position) * kv_heads + kv_head) * head_dim;
  }
  __device__ const T* key(int64_t position) const { return stored.keys + offset(position); }      // (head_dim)
  __device__ const T* value(int64_t position) const { return stored.values + offset(position); }  // (head_dim)
};

}  // namespace stagecraft::STAGECRAFT_TARGET
