/// @file
/// Attention, version 3: the queries of a block share tiles of keys and values in shared memory. The version that the
/// engine runs when there are many rows.
///
///     q, out        (rows, heads, head_dim)      fp32
///     keys, values  (slots, kv_heads, head_dim)  bf16, fp16 or fp32
///
/// Changed from version 2: keys are loaded coalesced and once for up to eight queries, neighbouring rows of a prompt
/// and the query heads of a key/value head. What is left: the tiles of a sequence are walked by one block, so a single
/// long sequence leaves most of the GPU idle.
#include "kernels/cuda/attention/shared_tiles.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

/// grid: (ceil(rows / rows_per_block), kv_heads * ceil(queries a kv head / heads_per_block))
/// block: (32, up to kWarpsPerBlock)   shared: SharedLayout
template <class T, class Address>
__global__ void shared_tiles(const float* q,  // (rows, heads, head_dim)
                             StoredKv<T, Address> stored, RaggedRows who,
                             float* out,  // (rows, heads, head_dim)
                             AttentionShape shape, int rows_per_block, int heads_per_block, bool by_eights) {
  SIMT_DYN_SHARED(unsigned char, memory);
  const SharedTiles<T> shared(memory, shape.head_dim);
  const int group = shape.heads / shape.kv_heads;
  const int blocks_per_group = int(ceil_div(group, heads_per_block));
  const int kv_head = blockIdx.y / blocks_per_group;
  const int first_in_group = int(blockIdx.y) % blocks_per_group * heads_per_block;
  const int heads = min(heads_per_block, group - first_in_group);

  // The block's rows may belong to several sequences: one after the other.
  const int64_t begin = int64_t(blockIdx.x) * rows_per_block;
  const int64_t end = begin + rows_per_block < who.rows ? begin + rows_per_block : who.rows;
  for (int64_t row = begin; row < end;) {
    const int64_t sequence = who.sequence[row];
    const int64_t sequence_end = who.query_start[sequence + 1] < end ? who.query_start[sequence + 1] : end;
    const BlockQueries block{row, int(sequence_end - row), kv_head * group + first_in_group, heads};
    const KvHead kv(stored, shape, sequence, kv_head);
    const Positions keys = seen_by_any(block, who, shape.window);

    QueryState states[kQueriesPerWarp];
    attend_tiles(q, kv, who, shape, block, keys, keys.first_tile(), keys.end_tile(), shared, by_eights, states);
    SIMT_UNROLL
    for (int n = 0; n < kQueriesPerWarp; ++n) {
      const int i = n * int(blockDim.y) + int(threadIdx.y);
      if (i >= block.count()) break;
      states[n].finish(out + (block.row(i) * shape.heads + block.head(i)) * shape.head_dim, shape.head_dim);
    }
    row = sequence_end;
  }
}

}  // namespace

void attention_v3_shared_tiles(const float* q, KvView kv, const RaggedRows& who, float* out,
                               const AttentionShape& shape, float*, Stream stream) {
  const int group = shape.heads / shape.kv_heads;
  const int heads_per_block = group < kQueries ? group : kQueries;
  // Rows of one sequence share its keys. A decode step has one row a sequence, and blocks are better spent on others.
  const int rows_of_a_sequence = who.sequences > 0 ? who.rows / who.sequences : 1;
  const int most_rows = kQueries / heads_per_block;
  const int rows_per_block = rows_of_a_sequence < 1           ? 1
                             : rows_of_a_sequence < most_rows ? rows_of_a_sequence
                                                              : most_rows;
  const int queries = rows_per_block * heads_per_block;
  const dim3 grid(blocks_for(who.rows, rows_per_block), shape.kv_heads * blocks_for(group, heads_per_block));
  const dim3 block(kWarp, queries < kWarpsPerBlock ? queries : kWarpsPerBlock);

  with_stored_kv(kv, [&]<class T, class Address>(const StoredKv<T, Address>& stored) {
    launch("attention_v3_shared_tiles", shared_tiles<T, Address>, grid, block,
           SharedLayout::of<T>(shape.head_dim).bytes, stream, q, stored, who, out, shape, rows_per_block,
           heads_per_block, head_loads_by_eights(q, kv, shape));
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
