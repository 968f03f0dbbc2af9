#pragma once
/// @file
/// The operations of kernels/kernels.h as this folder implements them: shapes and units stand there. The versions of a
/// ladder give the same bits and differ in speed; the table takes the last.
#include "kernels/cuda/target.h"
#include "kernels/kernels.h"

namespace stagecraft::STAGECRAFT_TARGET {

void embedding(WeightView table, const TokenId* ids, float* out, int rows, int width, Stream);
void rms_norm(const float* x, WeightView weight, float* out, int rows, int width, float epsilon, Stream);
void rope(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows, int heads,
          int head_dim, Stream);
void kv_write(const float* keys, const float* values, const int64_t* slots, KvView kv, int rows, int kv_heads,
              int head_dim, Stream);
void copy_blocks(void* plane, const BlockCopy* copies, int count, int64_t block_bytes, Stream);
void swiglu(float* gate, const float* up, int64_t n, Stream);
void add(float* x, const float* y, int64_t n, Stream);
void gather_rows(const float* x, const int32_t* rows_wanted, float* out, int count, int width, Stream);
void sample(const float* logits, const SamplingRow* how, TokenId* out, int rows, int vocabulary, Stream);
void verify(const TokenId* drawn, const TokenId* draft, const int32_t* row_start, int32_t* accepted, int requests,
            Stream);

// The ladder of linear.
void linear_v1_row_per_thread(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                              int out_width, Stream);
void linear_v2_coalesced(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                         int out_width, Stream);
void linear_v3_vector_loads(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                            int out_width, Stream);
void linear_v4_register_tiles(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                              int out_width, Stream);

// The ladder of attention. Only v4 uses scratch; attention is v3 or v4, whichever suits the shape.
void attention_v1_row_per_thread(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape&,
                                 float* scratch, Stream);
void attention_v2_row_per_warp(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape&,
                               float* scratch, Stream);
void attention_v3_shared_tiles(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape&,
                               float* scratch, Stream);
void attention_v4_splits(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape&,
                         float* scratch, Stream);
/// Floats of scratch for attention_v4_splits.
int64_t splits_scratch(const AttentionShape& shape, int rows, int longest_kv);

}  // namespace stagecraft::STAGECRAFT_TARGET
