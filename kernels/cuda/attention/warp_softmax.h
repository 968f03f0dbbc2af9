#pragma once
/// @file
/// Softmax over one tile of keys, and its merge with the tiles before it, by one warp (EXACTNESS R3; online softmax:
/// Milakov and Gimelshein 2018, arXiv 1805.02867). Lane l has the tile's keys l and l + 32, and the elements 2 l, 2 l +
/// 1 of each 64 of the output.
#include "kernels/cuda/attention/kv_head.h"
#include "kernels/cuda/fold.h"
#include "kernels/cuda/vector_load.h"

namespace stagecraft::STAGECRAFT_TARGET {

static_assert(kAttentionTile == 2 * kWarp, "a lane has two keys of a tile");

/// The scores of a lane's keys l and l + 32. A key that the query does not see has none.
struct LaneScores {
  float score[2];
  bool seen[2];
};

/// The tile's softmax state, which every lane gets; each key's weight e^(score - max), and +0 for unseen keys, goes to
/// `weights`. The warp's lanes may read those after __syncwarp.
__device__ inline SoftmaxState softmax_of_tile(const LaneScores& lane, float* weights) {  // weights: (kAttentionTile)
  SoftmaxState state;
  SIMT_UNROLL
  for (int half = 0; half < 2; ++half) {
    if (lane.seen[half] && lane.score[half] > state.max) state.max = lane.score[half];
  }
  SIMT_UNROLL
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(kAllLanes, state.max, step);
    if (other > state.max) state.max = other;
  }
  float weight[2];
  SIMT_UNROLL
  for (int half = 0; half < 2; ++half) {
    weight[half] = lane.seen[half] ? exact_exp(lane.score[half] - state.max) : 0.0f;
    weights[threadIdx.x + half * kWarp] = weight[half];
  }
  state.sum = fold_in_warp(weight[0], weight[1]);
  return state;
}

/// A lane's elements of one query's output, head_dim at most kMaxHeadDim.
struct LaneValues {
  static constexpr int kStride = 2 * kWarp;
  static constexpr int kPairs = kMaxHeadDim / kStride;
  float2 pair[kPairs];

  __device__ LaneValues() {
    SIMT_UNROLL
    for (int i = 0; i < kPairs; ++i) pair[i] = make_float2(0.0f, 0.0f);
  }

  /// Calls use(i, d) for the lane's pairs: pair i holds the elements d and d + 1.
  template <class Use>
  __device__ static void for_pairs(int head_dim, Use use) {
    SIMT_UNROLL
    for (int i = 0; i < kPairs; ++i) {
      const int d = 2 * int(threadIdx.x) + i * kStride;
      if (d < head_dim) use(i, d);
    }
  }

  /// Adds weight * value[d] to each element.
  template <class T>
  __device__ void add(float weight, const T* value, int head_dim) {
    for_pairs(head_dim, [&](int i, int d) {
      const float2 v = load_pair(value + d);
      pair[i] = make_float2(fmaf(weight, v.x, pair[i].x), fmaf(weight, v.y, pair[i].y));
    });
  }

  __device__ void load(const float* from, int head_dim) {
    for_pairs(head_dim, [&](int i, int d) { pair[i] = load_pair(from + d); });
  }
  __device__ void store(float* to, int head_dim) const {
    for_pairs(head_dim, [&](int i, int d) { store_pair(to + d, pair[i]); });
  }
};

/// What a query has gathered so far: the running softmax state and the weighted values that go with it.
struct QueryState {
  SoftmaxState softmax;
  LaneValues values;

  /// Takes the next tile. The first one that the query sees is copied, the later ones are merged.
  __device__ void take(SoftmaxState tile, const LaneValues& tile_values, bool first) {
    if (first) {
      softmax = tile;
      values = tile_values;
      return;
    }
    const MergeWeights weights = merge(softmax, tile);
    SIMT_UNROLL
    for (int i = 0; i < LaneValues::kPairs; ++i) {
      float2& mine = values.pair[i];
      const float2 later = tile_values.pair[i];
      mine = make_float2(fmaf(mine.x, weights.earlier, later.x * weights.later),
                         fmaf(mine.y, weights.earlier, later.y * weights.later));
    }
  }

  /// The attention output of the query: its values divided by the sum of the weights.
  __device__ void finish(float* out, int head_dim) const {
    LaneValues result;
    SIMT_UNROLL
    for (int i = 0; i < LaneValues::kPairs; ++i) {
      result.pair[i] = make_float2(values.pair[i].x / softmax.sum, values.pair[i].y / softmax.sum);
    }
    result.store(out, head_dim);
  }
};

}  // namespace stagecraft::STAGECRAFT_TARGET
