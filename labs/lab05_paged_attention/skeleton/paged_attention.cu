/// @file
/// Lab 5, task 2: keys and values behind a block table. The contract: labs/lab05_paged_attention/include/kernels.h.
///
/// Attention is the engine's in arithmetic (kernels/exact_math.h): tiles of 64 keys from position 0, each with a softmax
/// state of its own, merged in order. One warp takes a row and a head, so neighbouring lanes read neighbouring elements.
#include "kernels.h"
#include "kernels/exact_math.h"
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"

namespace lab05 {
namespace {

using stagecraft::kAttentionTile;
using stagecraft::SoftmaxState;

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;
constexpr int kMostPerLane = kMostHeadDim / kWarp;

/// The slot of a position, given the sequence's row of block_tables.
__device__ int64_t slot_of(const int32_t* table, int64_t position, int block_shift) {
  // >>> LAB lab05.t2/slot  about 3 lines   (edit only between the arrows)
  // TODO(lab05.t2): which entry of the table, and where in that block? A block has 1 << block_shift slots; beware of 32 bits.
  LAB_TODO("lab05.t2");
  // <<< LAB lab05.t2/slot
}

/// grid: (rows)   block: kWarp
__global__ void write_kernel(const float* keys,    // (rows, kv_heads, head_dim)
                             const float* values,  // (rows, kv_heads, head_dim)
                             const int32_t* sequence, const int32_t* positions, PagedKv kv) {
  // >>> LAB lab05.t2/write  about 8 lines   (edit only between the arrows)
  // TODO(lab05.t2): the warp stores one row: kv_heads * head_dim keys and as many values. stagecraft::round_to_bf16 rounds.
  LAB_TODO("lab05.t2");
  // <<< LAB lab05.t2/write
}

/// Every lane gets the fold of 64 numbers, of which lane l holds number l (`low`) and l + 32 (`high`).
__device__ float fold(float low, float high) {
  float sum = low + high;
  for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
  return sum;
}

/// The canonical dot product (exact_dot) by a warp.
__device__ float dot(const float* query, const bf16* key, int head_dim) {
  float low = 0.0f, high = 0.0f;
  for (int d = int(threadIdx.x); d < head_dim; d += 2 * kWarp) {
    low = fmaf(query[d], stagecraft::to_float(key[d]), low);
    if (d + kWarp < head_dim) high = fmaf(query[d + kWarp], stagecraft::to_float(key[d + kWarp]), high);
  }
  return fold(low, high);
}

/// Replaces a tile's scores by e^(score - largest); returns its softmax state.
__device__ SoftmaxState softmax_of_tile(float* scores, int keys) {
  const int lane = int(threadIdx.x);
  const bool has_low = lane < keys, has_high = lane + kWarp < keys;
  SoftmaxState state;
  if (has_low) state.max = scores[lane];
  if (has_high && scores[lane + kWarp] > state.max) state.max = scores[lane + kWarp];
  for (int step = kWarp / 2; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(kAllLanes, state.max, step);
    if (other > state.max) state.max = other;
  }
  const float low = has_low ? stagecraft::exact_exp(scores[lane] - state.max) : 0.0f;
  const float high = has_high ? stagecraft::exact_exp(scores[lane + kWarp] - state.max) : 0.0f;
  if (has_low) scores[lane] = low;
  if (has_high) scores[lane + kWarp] = high;
  state.sum = fold(low, high);
  return state;
}

/// What a lane gathers of the output: elements lane, lane + 32, ...
struct Gathered {
  float element[kMostPerLane] = {};

  __device__ void add(float weight, const bf16* value, int head_dim) {
    for (int i = 0, d = int(threadIdx.x); d < head_dim; ++i, d += kWarp) {
      element[i] = fmaf(weight, stagecraft::to_float(value[d]), element[i]);
    }
  }
};

/// grid: (rows, heads)   block: kWarp
__global__ void attention_kernel(const float* q,  // (rows, heads, head_dim)
                                 PagedKv kv, const int32_t* sequence, const int32_t* positions,
                                 float* out,  // (rows, heads, head_dim)
                                 float scale) {
  __shared__ float weights[kAttentionTile];  // scores first
  const int64_t row = blockIdx.x;
  const int heads = int(gridDim.y), head = int(blockIdx.y), kv_head = head / (heads / kv.kv_heads);
  const int64_t width = int64_t(kv.kv_heads) * kv.head_dim;
  const float* query = q + (row * heads + head) * kv.head_dim;
  const bf16* keys = kv.keys + int64_t(kv_head) * kv.head_dim;  // the key in slot s is at keys + s * width
  const bf16* values = kv.values + int64_t(kv_head) * kv.head_dim;
  const int32_t* table = kv.block_tables + int64_t(sequence[row]) * kv.table_stride;
  const int64_t length = positions[row] + 1;

  SoftmaxState state;
  Gathered result;
  for (int64_t tile = 0; tile < length; tile += kAttentionTile) {
    const int64_t end = tile + kAttentionTile < length ? tile + kAttentionTile : length;
    // >>> LAB lab05.t2/scores  about 8 lines   (edit only between the arrows)
    // TODO(lab05.t2): delete the next line. The loop is right for a sequence whose blocks lie one behind the other from its
    // first block on. Make it right for any table, and look into the table once a block, not once a key.
    LAB_TODO("lab05.t2");
    const int64_t first_slot = int64_t(table[0]) << kv.block_shift;
    for (int64_t p = tile; p < end; ++p) {
      const float score = dot(query, keys + (first_slot + p) * width, kv.head_dim) * scale;
      if (threadIdx.x == 0) weights[p - tile] = score;
    }
    // <<< LAB lab05.t2/scores
    __syncwarp();
    const SoftmaxState later = softmax_of_tile(weights, int(end - tile));
    __syncwarp();
    Gathered gathered;
    // >>> LAB lab05.t2/values  about 7 lines   (edit only between the arrows)
    // TODO(lab05.t2): delete the next line, and do the same for the values.
    LAB_TODO("lab05.t2");
    const int64_t slot_of_first = int64_t(table[0]) << kv.block_shift;
    for (int64_t p = tile; p < end; ++p) {
      gathered.add(weights[p - tile], values + (slot_of_first + p) * width, kv.head_dim);
    }
    // <<< LAB lab05.t2/values
    __syncwarp();  // the next tile overwrites the weights
    if (tile == 0) {
      state = later;
      result = gathered;
      continue;
    }
    const stagecraft::MergeWeights merged = stagecraft::merge(state, later);
    for (int i = 0; i < kMostPerLane; ++i) {
      result.element[i] = fmaf(result.element[i], merged.earlier, gathered.element[i] * merged.later);
    }
  }
  float* mine = out + (row * heads + head) * kv.head_dim;
  for (int i = 0, d = int(threadIdx.x); d < kv.head_dim; ++i, d += kWarp) mine[d] = result.element[i] / state.sum;
}

}  // namespace

void paged_write(const float* keys, const float* values, const int32_t* sequence, const int32_t* positions,
                 const PagedKv& kv, int rows) {
  simt::launch(write_kernel, {dim3(rows), dim3(kWarp)}, keys, values, sequence, positions, kv);
}

void paged_attention(const float* q, const PagedKv& kv, const int32_t* sequence, const int32_t* positions, float* out,
                     int rows, int heads, float scale) {
  simt::launch(attention_kernel, {dim3(rows, heads), dim3(kWarp)}, q, kv, sequence, positions, out, scale);
}

}  // namespace lab05
