#pragma once
/// @file
/// The contract's own text for attention (EXACTNESS R3, R5), for any type of cache and any address: one query after the
/// other, one tile after the other, one key after the other.
#include <algorithm>
#include <vector>

#include "kernels/exact_math.h"
#include "kernels/kernels.h"

namespace stagecraft::cpu {

/// The keys [first, last) that a query at `position` sees.
struct VisibleKeys {
  int64_t first, last;
};

inline VisibleKeys visible_keys(int64_t position, int window) {
  const int64_t first = window == kNoWindow ? 0 : std::max<int64_t>(0, position - window + 1);
  return {first, position + 1};
}

/// One query head against one tile: the tile's softmax state, and its weighted values in `values_out`.
template <class T, class Address>
SoftmaxState attend_tile(const float* q, const StoredKv<T, Address>& kv, int64_t sequence, int64_t kv_head,
                         const AttentionShape& shape, int64_t tile_start, VisibleKeys keys, float* values_out) {
  const int64_t first = std::max(keys.first, tile_start);
  const int64_t last = std::min(keys.last, tile_start + kAttentionTile);
  const auto row_of = [&](const T* base, int64_t position) {
    const int64_t slot = kv.address.slot(sequence, position);
    return base + (slot * shape.kv_heads + kv_head) * shape.head_dim;
  };

  float weights[kPartialSums] = {};  // one slot a key of the tile; a masked key's stays 0 and is never read as a key
  static_assert(kAttentionTile == kPartialSums, "a tile's weights are folded like a dot product's partial sums");
  SoftmaxState state;
  for (int64_t p = first; p < last; ++p) {
    const float score = exact_dot(q, row_of(kv.keys, p), shape.head_dim) * shape.scale;
    weights[p - tile_start] = score;
    if (score > state.max) state.max = score;
  }
  std::fill_n(values_out, shape.head_dim, 0.0f);
  for (int64_t p = first; p < last; ++p) {
    const float weight = exact_exp(weights[p - tile_start] - state.max);
    weights[p - tile_start] = weight;
    const T* value = row_of(kv.values, p);
    for (int64_t d = 0; d < shape.head_dim; ++d) values_out[d] = fmaf(weight, to_float(value[d]), values_out[d]);
  }
  state.sum = exact_fold(weights);
  return state;
}

template <class T, class Address>
void attend_row(const float* q, const StoredKv<T, Address>& kv, int64_t sequence, int64_t position, int64_t kv_head,
                const AttentionShape& shape, float* out) {
  const VisibleKeys keys = visible_keys(position, shape.window);
  std::vector<float> tile_values(size_t(shape.head_dim));
  const int64_t first_tile = keys.first / kAttentionTile * kAttentionTile;

  SoftmaxState state = attend_tile(q, kv, sequence, kv_head, shape, first_tile, keys, out);
  for (int64_t tile = first_tile + kAttentionTile; tile < keys.last; tile += kAttentionTile) {
    const SoftmaxState later = attend_tile(q, kv, sequence, kv_head, shape, tile, keys, tile_values.data());
    const MergeWeights weights = merge(state, later);
    for (int64_t d = 0; d < shape.head_dim; ++d) {
      out[d] = fmaf(out[d], weights.earlier, tile_values[size_t(d)] * weights.later);
    }
  }
  for (int64_t d = 0; d < shape.head_dim; ++d) out[d] = out[d] / state.sum;
}

/// Kernels::attention, without scratch.
template <class T, class Address>
void plain_attention(const float* q,  // (rows, heads, head_dim)
                     const StoredKv<T, Address>& kv, const RaggedRows& who,
                     float* out,  // (rows, heads, head_dim)
                     const AttentionShape& shape) {
  const int64_t queries_per_kv_head = shape.heads / shape.kv_heads;
  for (int64_t r = 0; r < who.rows; ++r) {
    for (int64_t h = 0; h < shape.heads; ++h) {
      const int64_t offset = (r * shape.heads + h) * shape.head_dim;
      attend_row(q + offset, kv, who.sequence[r], who.positions[r], h / queries_per_kv_head, shape, out + offset);
    }
  }
}

}  // namespace stagecraft::cpu
