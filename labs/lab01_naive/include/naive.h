#pragma once
/// @file
/// The contract of lab 1. Functions with device pointers launch kernels with simt::launch and return; nothing is
/// allocated. Counts are at least 1 unless said otherwise. "The contract's bits" are those of kernels/exact_math.h:
/// exact_dot, exact_exp, rms_scale, rotate. With them your kernels can stand in for the engine's (labs/lab bench lab01).
#include <cstdint>
#include <span>

#include "kernels/number_types.h"

namespace lab01 {

/// lab01.t1: out[r][i] = x[r][i] * s * weight[i], s = 1 / sqrt(mean of x[r][k]^2 over k + epsilon).
///
/// - lab01.t1.c1: within 1e-5 of the largest value, for any rows and width; epsilon counts.
/// - lab01.t1.c2: the simulator finds nothing, and all of out is written. out may be x.
/// - lab01.t1.c3: bits: s = rms_scale(exact_dot(x[r], x[r], width), width, epsilon), then (x * s) * weight.
void rms_norm(const float* x,                  // (rows, width)
              const stagecraft::bf16* weight,  // (width)
              float* out,                      // (rows, width)
              int rows, int width, float epsilon);

/// lab01.t2: in each head of row r the pair (i, i + head_dim / 2), i < head_dim / 2, is turned by the angle whose cosine and
/// sine stand in row positions[r] of the tables:
///
///     left' = left * cos - right * sin        right' = right * cos + left * sin
///
/// - lab01.t2.c1: within 1e-6, for any rows and heads; positions in any order.
/// - lab01.t2.c2: the simulator finds nothing.
/// - lab01.t2.c3: bits: stagecraft::rotate.
void rope(float* x,                  // (rows, heads, head_dim), changed in place
          const int32_t* positions,  // (rows)
          const float* cosines,      // (positions, head_dim / 2)
          const float* sines,        // (positions, head_dim / 2)
          int rows, int heads, int head_dim);

/// lab01.t3: out[r][o] = x[r] . weight[o], twice: linear_naive with one thread an output, and linear_coalesced, where the
/// threads of a warp read neighbouring weights.
///
/// - lab01.t3.c1: linear_naive gives the bits of exact_dot(x[r], weight[o], in).
/// - lab01.t3.c2: linear_coalesced gives the same bits: partial sum j holds elements j, j + 64, j + 128, ...; then the
///   64 partial sums are folded, 32 on 32, 16 on 16, ..., 1 on 1. Lane l can hold partial sums l and l + 32.
/// - lab01.t3.c3: the simulator finds nothing, and all of out is written, in both.
/// - lab01.t3.c4: loads of linear_coalesced move at most 1.5 times the sectors that the weights fill, and x once for each
///   output.
void linear_naive(const float* x,                  // (rows, in)
                  const stagecraft::bf16* weight,  // (out_width, in)
                  float* out,                      // (rows, out_width)
                  int rows, int in, int out_width);
void linear_coalesced(const float* x,                  // (rows, in)
                      const stagecraft::bf16* weight,  // (out_width, in)
                      float* out,                      // (rows, out_width)
                      int rows, int in, int out_width);

/// lab01.t4: row r attends to the keys of rows 0 ... r of the same sequence. Query head h reads key and value head
/// h / (heads / kv_heads).
///
///     score[k] = (q[r][h] . keys[k][g]) * scale       w = softmax(score)       out[r][h] = sum of w[k] * values[k][g]
///
/// - lab01.t4.c1: within 1e-5 of fp64, for one head and any number of rows.
/// - lab01.t4.c2: likewise with several heads, of which several share a key head.
/// - lab01.t4.c3: scores of several hundred give no NaN and no infinity: the largest is subtracted first.
/// - lab01.t4.c4: the simulator finds nothing, and all of out is written.
void attention(const float* q,       // (rows, heads, head_dim), head_dim at most 128
               const float* keys,    // (rows, kv_heads, head_dim)
               const float* values,  // (rows, kv_heads, head_dim)
               float* out,           // (rows, heads, head_dim)
               int rows, int heads, int kv_heads, int head_dim, float scale);

/// What greedy and sampled return where the logits hold a NaN, or no finite value.
inline constexpr int32_t kNoToken = -1;

/// lab01.t5: the next token from a row of logits, on the host.
///
/// - lab01.t5.c1: greedy: the id of the largest logit; of equal ones the lowest id.
/// - lab01.t5.c2: sampled: the arg max of stagecraft::tempered(logit, largest logit, temperature) + stagecraft::token_noise
///   over all finite logits, ties to the lowest id (kernels/sampling.h; top_k and top_p are not used). temperature > 0.
/// - lab01.t5.c3: a NaN anywhere, or not one finite logit: kNoToken. Single logits of -infinity are never drawn.
int32_t greedy(std::span<const float> logits);  // (vocabulary)
int32_t sampled(std::span<const float> logits,  // (vocabulary)
                float temperature, uint64_t seed, int64_t position);

/// lab01.t6: what naive decoding computes for `output` tokens after a prompt of `prompt` tokens.
struct Work {
  int64_t forwarded;   // tokens that go through the model, over all passes
  int64_t recomputed;  // of these: whose keys and values an earlier pass had computed
};

/// - lab01.t6.c1: forwarded: pass i, i = 0 ... output - 1, sees prompt + i tokens.
/// - lab01.t6.c2: recomputed; output may be 0, and then both are 0.
Work naive_work(int64_t prompt, int64_t output);

}  // namespace lab01
