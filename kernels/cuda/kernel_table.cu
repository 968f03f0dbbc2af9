/// @file
/// See kernel_table.h. Also chooses between the versions of attention, which differ in speed only.
#include "kernels/cuda/kernel_table.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/exact_math.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

/// Blocks that keep a large GPU busy: 132 processors or more, two blocks each.
constexpr int64_t kEnoughBlocks = 256;

/// Splitting pays where the rows alone make too few blocks and there is more than one tile to split.
bool worth_splitting(const AttentionShape& shape, int rows, int longest_kv) {
  return int64_t(rows) * shape.kv_heads < kEnoughBlocks && longest_kv > kAttentionTile;
}

void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
               float* scratch, Stream stream) {
  const bool split = worth_splitting(shape, who.rows, who.longest_kv);
  (split ? attention_v4_splits : attention_v3_shared_tiles)(q, kv, who, out, shape, scratch, stream);
}

int64_t attention_scratch(const AttentionShape& shape, int rows, int longest_kv) {
  return worth_splitting(shape, rows, longest_kv) ? splits_scratch(shape, rows, longest_kv) : 0;
}

constexpr Version<decltype(Kernels::linear)> kLinear[] = {
    {"linear_v1_row_per_thread", linear_v1_row_per_thread},
    {"linear_v2_coalesced", linear_v2_coalesced},
    {"linear_v3_vector_loads", linear_v3_vector_loads},
    {"linear_v4_register_tiles", linear_v4_register_tiles},
};
constexpr Version<decltype(Kernels::attention)> kAttention[] = {
    {"attention_v1_row_per_thread", attention_v1_row_per_thread},
    {"attention_v2_row_per_warp", attention_v2_row_per_warp},
    {"attention_v3_shared_tiles", attention_v3_shared_tiles},
    {"attention_v4_splits", attention_v4_splits},
};

}  // namespace

const KernelSet& kernel_set() {
  static const KernelSet set{{embedding, rms_norm, linear_v4_register_tiles, rope, kv_write, copy_blocks, attention,
                              attention_scratch, swiglu, add, gather_rows, sample, verify},
                             kLinear,
                             kAttention,
                             splits_scratch};
  return set;
}

}  // namespace stagecraft::STAGECRAFT_TARGET
