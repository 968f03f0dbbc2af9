/// @file
/// Attention, version 1: one thread a row and head. The contract's own loops (EXACTNESS R3), as one would first write
/// it.
///
///     q, out        (rows, heads, head_dim)      fp32
///     keys, values  (slots, kv_heads, head_dim)  bf16, fp16 or fp32
///
/// Right, and slow: a thread walks all its keys alone, neighbouring threads read keys of different heads, and the
/// tile's weights and values lie in local memory.
#include "kernels/cuda/attention/kv_head.h"
#include "kernels/cuda/fold.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 64;

/// The canonical dot product, its partial sums in local memory.
template <class T>
__device__ float dot(const float* a, const T* b, int n) {
  float partial[kPartialSums] = {};
  for (int k = 0; k < n; ++k) {
    float& p = partial[k % kPartialSums];
    p = fmaf(a[k], to_float(b[k]), p);
  }
  return fold_in_lane(partial);
}

/// One query against the keys of one tile: the tile's softmax state, and its weighted values in `values`.
template <class T, class Address>
__device__ SoftmaxState attend_tile(const float* query,  // (head_dim)
                                    const KvHead<T, Address>& kv, Positions keys, int64_t tile_start, float scale,
                                    float* values) {  // (head_dim)
  float weights[kAttentionTile] = {};
  SoftmaxState state;
  for (int64_t p = keys.first; p < keys.last; ++p) {
    const float score = dot(query, kv.key(p), kv.head_dim) * scale;
    weights[p - tile_start] = score;
    if (score > state.max) state.max = score;
  }
  for (int d = 0; d < kv.head_dim; ++d) values[d] = 0.0f;
  for (int64_t p = keys.first; p < keys.last; ++p) {
    float& weight = weights[p - tile_start];
    weight = exact_exp(weight - state.max);
    for (int d = 0; d < kv.head_dim; ++d) values[d] = fmaf(weight, to_float(kv.value(p)[d]), values[d]);
  }
  state.sum = fold_in_lane(weights);
  return state;
}

/// grid: ceil(rows * heads / kThreads)   block: kThreads
template <class T, class Address>
__global__ void row_per_thread(const float* q,  // (rows, heads, head_dim)
                               StoredKv<T, Address> stored, RaggedRows who,
                               float* out,  // (rows, heads, head_dim)
                               AttentionShape shape) {
  const int64_t query = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (query >= int64_t(who.rows) * shape.heads) return;
  const int64_t row = query / shape.heads;
  const int head = int(query % shape.heads);
  const KvHead kv(stored, shape, who.sequence[row], head / (shape.heads / shape.kv_heads));
  const Positions keys = visible_keys(who.positions[row], shape.window);

  float* result = out + query * shape.head_dim;
  float tile_values[kMaxHeadDim];
  SoftmaxState state;
  for (int64_t tile = keys.first_tile(); tile < keys.end_tile(); ++tile) {
    const bool first = tile == keys.first_tile();
    const SoftmaxState later = attend_tile(q + query * shape.head_dim, kv, keys.in_tile(tile), tile * kAttentionTile,
                                           shape.scale, first ? result : tile_values);
    if (first) {
      state = later;
      continue;
    }
    const MergeWeights weights = merge(state, later);
    for (int d = 0; d < shape.head_dim; ++d) {
      result[d] = fmaf(result[d], weights.earlier, tile_values[d] * weights.later);
    }
  }
  for (int d = 0; d < shape.head_dim; ++d) result[d] = result[d] / state.sum;
}

}  // namespace

void attention_v1_row_per_thread(const float* q, KvView kv, const RaggedRows& who, float* out,
                                 const AttentionShape& shape, float*, Stream stream) {
  with_stored_kv(kv, [&]<class T, class Address>(const StoredKv<T, Address>& stored) {
    const auto kernel = row_per_thread<T, Address>;
    launch("attention_v1_row_per_thread", kernel, dim3(blocks_for(int64_t(who.rows) * shape.heads, kThreads)),
           dim3(kThreads), 0, stream, q, stored, who, out, shape);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
