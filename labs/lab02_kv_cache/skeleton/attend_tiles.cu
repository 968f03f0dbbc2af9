/// @file
/// Lab 2, task 2: one tile of 64 keys, one softmax state. The contract: labs/lab02_kv_cache/include/kv_cache.h.
///
/// A block has one tile of one row and key head, and all query heads that share it: so each key and value comes from
/// global memory once. Its threads bring the tile's keys to shared memory; then a warp takes a query head, and a lane
/// two keys of the tile; then the values follow through the same memory, and a thread takes elements of the output.
#include "kernels/simulator/simt.h"
#include "kv_cache.h"
#include "labs/support/todo.h"

namespace lab02 {
namespace {

using stagecraft::exact_dot;
using stagecraft::exact_exp;
using stagecraft::kAttentionTile;
using stagecraft::kInfinity;

constexpr int kWarp = 32, kWarps = 4;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// The largest value of a warp's lanes, for all of them.
__device__ float largest_in_warp(float value) {
  for (int step = kWarp / 2; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, step));
  return value;
}

/// The canonical fold of 64 numbers, of which lane l has l (`low`) and l + 32 (`high`); for all lanes.
__device__ float fold_in_warp(float low, float high) {
  float sum = low + high;
  for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
  return sum;
}

/// grid: (tiles, rows, kv_heads)   block: (kWarp, kWarps)
template <class T>
__global__ void tile_kernel(const float* q,   // (rows, heads, head_dim)
                            const T* keys,    // (slots, kv_heads, head_dim)
                            const T* values,  // (slots, kv_heads, head_dim)
                            Queries queries, Heads heads, TileStates out) {
  __shared__ float tile[kAttentionTile * (kMaxHeadDim + 1)];  // (64, stride): keys, then values, widened to fp32
  __shared__ float query[kMaxGroup * kMaxHeadDim];            // (group, head_dim)
  __shared__ float weights[kMaxGroup * kAttentionTile];       // (group, 64)

  const int lane = int(threadIdx.x), warp = int(threadIdx.y);
  const int row = int(blockIdx.y), kv_head = int(blockIdx.z);
  const int group = heads.heads / heads.kv_heads, first_head = kv_head * group;
  const int head_dim = heads.head_dim, stride = head_dim + 1;  // odd: 32 rows of a column lie in 32 banks

  const int64_t start = int64_t(blockIdx.x) * kAttentionTile;  // the tile's first position
  const int64_t seen = queries.positions[row] + 1 - start;
  if (seen <= 0) return;  // the whole block: the row has fewer tiles than others
  const int count = seen < kAttentionTile ? int(seen) : kAttentionTile;

  // Where key (or value) `key` of the tile begins in the cache, and where the state of query head `head` goes.
  const int64_t first_slot = queries.first_slot[queries.sequence[row]] + start;
  const auto in_cache = [&](int key) { return ((first_slot + key) * heads.kv_heads + kv_head) * head_dim; };
  const auto state_of = [&](int head) {
    return (int64_t(row) * heads.heads + first_head + head) * queries.tiles + blockIdx.x;
  };

  // >>> LAB lab02.t2/load  about 9 lines   (edit only between the arrows)
  // TODO(lab02.t2): bring the group's queries to query, and the tile's first `count` keys to tile, stagecraft::to_float
  // widens them. Neighbouring lanes take neighbouring elements. What must all threads do before the next part reads it?
  LAB_TODO("lab02.t2");
  // <<< LAB lab02.t2/load

  // >>> LAB lab02.t2/scores  about 14 lines   (edit only between the arrows)
  // TODO(lab02.t2): a warp takes a query head, its lanes the keys lane and lane + 32. Scores, then the largest, then
  // the weights (into weights, for the next part) and their sum (into out.softmaxes). A key that is not seen weighs
  // nothing.
  LAB_TODO("lab02.t2");
  // <<< LAB lab02.t2/scores

  // >>> LAB lab02.t2/values  about 12 lines   (edit only between the arrows)
  // TODO(lab02.t2): bring the tile's values to tile, as the keys came. Then add weight * value to each element of each
  // query head, in the order of positions, and store the sums to out.values.
  LAB_TODO("lab02.t2");
  // <<< LAB lab02.t2/values
}

}  // namespace

void attend_tiles(const float* q, const Cache& cache, const Queries& queries, const Heads& heads,
                  const TileStates& out) {
  stagecraft::with_elements(cache.type, cache.keys, [&]<class T>(const T* keys) {
    const dim3 grid(queries.tiles, queries.rows, heads.kv_heads);
    simt::launch(tile_kernel<T>, {grid, dim3(kWarp, kWarps)}, q, keys, static_cast<const T*>(cache.values), queries,
                 heads, out);
  });
}

}  // namespace lab02
