#pragma once
/// @file
/// What a stage may ask of a device. Each device (cpu, simulator, cuda) fills one such table; a lab replaces one entry
/// and runs the whole engine with it. All arithmetic follows kernels/exact_math.h: same inputs, same bits, everywhere.
///
/// Shapes are (outermost, ..., innermost), row-major, dense. `rows` is the number of tokens of this forward pass, over
/// all requests. Lengths and strides are in elements. Pointers are device pointers of that device, 16-byte aligned.
/// Nothing here fails on good arguments; a device that loses its memory or driver throws Failure.
#include <cstdint>

#include "kernels/kv_address.h"
#include "kernels/number_types.h"

namespace stagecraft {

using TokenId = int32_t;

/// The queue that an operation runs on: a cpu device's thread pool, a GPU's stream. Owned by its Device.
struct Stream {
  void* handle = nullptr;
};

/// A weight as it lies in the model file. Where a device reads the mapped file in place it is aligned to its element only,
/// not to 16 bytes: files align their tensors no better.
struct WeightView {
  const void* data = nullptr;
  NumberType type = NumberType::bf16;
};

/// Which request and which position each row is. Row r belongs to the sequence s with query_start[s] <= r <
/// query_start[s + 1]; it sees the keys at positions [0, positions[r]] of that sequence.
struct RaggedRows {
  const int32_t* query_start;  // (sequences + 1), the first is 0 and the last is rows
  const int32_t* sequence;     // (rows)
  const int32_t* positions;    // (rows)
  int sequences;
  int rows;
  int longest_kv;  // at least the largest position of any row, plus one: sizes grids and scratch
};

struct AttentionShape {
  int heads;
  int kv_heads;  // divides heads; query head h reads key/value head h / (heads / kv_heads)
  int head_dim;
  int window;   // a token sees itself and the window - 1 tokens before it; kNoWindow: all before it
  float scale;  // scores are multiplied by it: 1 / sqrt(head_dim)
};
inline constexpr int kNoWindow = 0;

/// How the next token of one row is drawn (EXACTNESS R8).
struct SamplingRow {
  float temperature;  // 0: the largest logit, ties to the lowest id
  int32_t top_k;      // kNoTopK: all
  float top_p;        // in (0, 1]
  uint64_t seed;
  int64_t position;  // absolute position of the token that is drawn; keys the noise together with the seed
};
inline constexpr int32_t kNoTopK = 0;

/// The id a row gets whose logits hold a NaN or no finite value.
inline constexpr TokenId kNoToken = -1;

struct Kernels {
  /// out[r] = table[ids[r]], widened to fp32.
  void (*embedding)(WeightView table,    // (vocabulary, width)
                    const TokenId* ids,  // (rows), each in [0, vocabulary)
                    float* out,          // (rows, width)
                    int rows, int width, Stream);

  /// out[r][i] = x[r][i] * rms_scale(dot(x[r], x[r])) * weight[i]. Zhang and Sennrich 2019, arXiv 1910.07467.
  /// `out` may be `x`.
  void (*rms_norm)(const float* x,     // (rows, width)
                   WeightView weight,  // (width)
                   float* out,         // (rows, width)
                   int rows, int width, float epsilon, Stream);

  /// out[r][o] = dot(x[r], weight[o]) + bias[o]: the canonical dot product. Weights are read once for all rows.
  void (*linear)(const float* x,     // (rows, in)
                 WeightView weight,  // (out_width, in)
                 WeightView bias,    // (out_width), or data == nullptr: none is added
                 float* out,         // (rows, out_width)
                 int rows, int in, int out_width, Stream);

  /// Rotates the pairs (i, i + head_dim / 2) of each head in place, by the angles of its row's position.
  void (*rope)(float* x,                  // (rows, heads, head_dim)
               const int32_t* positions,  // (rows)
               const float* cosines,      // (positions, head_dim / 2)
               const float* sines,        // (positions, head_dim / 2)
               int rows, int heads, int head_dim, Stream);

  /// Rounds this pass's keys and values to the cache's type and stores them (R4: store before load).
  void (*kv_write)(const float* keys,     // (rows, kv_heads, head_dim)
                   const float* values,   // (rows, kv_heads, head_dim)
                   const int64_t* slots,  // (rows), all different
                   KvView kv, int rows, int kv_heads, int head_dim, Stream);

  /// Block copies[i].to of one plane, a layer's keys or its values, becomes block copies[i].from. All copies may run at
  /// once: no block is written twice, and none that is written is read.
  void (*copy_blocks)(void* plane,              // (blocks, block_bytes)
                      const BlockCopy* copies,  // (count)
                      int count, int64_t block_bytes, Stream);

  /// Causal softmax attention of each row over its request's stored keys. Walks tiles of kAttentionTile keys from
  /// position 0, each with its own softmax state, merged in order (R3); masked keys are skipped (R5).
  void (*attention)(const float* q,         // (rows, heads, head_dim)
                    KvView kv,              // keys and values of every visible position are stored
                    const RaggedRows& who,  // its arrays are device memory
                    float* out,             // (rows, heads, head_dim)
                    const AttentionShape&,
                    float* scratch,  // attention_scratch(...) floats
                    Stream);

  /// Floats of scratch that attention needs for such a pass; 0 where a device needs none.
  int64_t (*attention_scratch)(const AttentionShape&, int rows, int longest_kv);

  /// gate[i] = silu(gate[i]) * up[i]. Shazeer 2020, arXiv 2002.05202.
  void (*swiglu)(float* gate,      // (n)
                 const float* up,  // (n)
                 int64_t n, Stream);

  /// x[i] += y[i]: the residual connection.
  void (*add)(float* x,        // (n)
              const float* y,  // (n)
              int64_t n, Stream);

  /// out[i] = x[rows_wanted[i]]: only rows whose logits are asked for go through the head.
  void (*gather_rows)(const float* x,              // (any, width)
                      const int32_t* rows_wanted,  // (count)
                      float* out,                  // (count, width)
                      int count, int width, Stream);

  /// Draws one token a row: the canonical sampler of kernels/sampling.h.
  void (*sample)(const float* logits,     // (rows, vocabulary)
                 const SamplingRow* how,  // (rows)
                 TokenId* out,            // (rows); kNoToken where the logits are unusable
                 int rows, int vocabulary, Stream);

  /// How much of each request's draft is right (R9): accepted[i] is the length of the longest prefix of the draft of
  /// request i that equals what the target drew in the same places. Leviathan et al. 2023, arXiv 2211.17192, with the
  /// acceptance rule that changes no output.
  void (*verify)(const TokenId* drawn,      // (rows) what the target samples after each row
                 const TokenId* draft,      // (rows) the drafted token that follows each row; kNoToken in a request's
                                            // last row
                 const int32_t* row_start,  // (requests + 1), the first is 0 and the last is rows
                 int32_t* accepted,         // (requests)
                 int requests, Stream);
};

}  // namespace stagecraft
