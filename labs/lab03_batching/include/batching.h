#pragma once
/// @file
/// The contract of lab 3. Functions with device pointers launch kernels with simt::launch and return; nothing is
/// allocated. Counts are at least 1 unless said otherwise. "The contract's bits" are those of kernels/exact_math.h: with
/// them your kernels stand in for the engine's (labs/lab bench lab03).
#include <cstdint>
#include <vector>

#include "kernels/number_types.h"

namespace lab03 {

/// Rows and outputs that a warp of linear computes together: a weight that was loaded serves kRowTile rows, an element of
/// x serves kOutputTile outputs.
inline constexpr int kRowTile = 8;
inline constexpr int kOutputTile = 4;

/// lab03.t1: out[r][o] = x[r] . weight[o] for all rows of a batch.
///
/// - lab03.t1.c1: the bits of exact_dot(x[r], weight[o], in), where tiles fit: partial sum j holds elements j, j + 64,
///   j + 128, ..., then the 64 are folded, 32 on 32, 16 on 16, ..., 1 on 1. Lane l can hold partial sums l and l + 32.
/// - lab03.t1.c2: the same for any rows, in and out_width.
/// - lab03.t1.c3: the simulator finds nothing, and all of out is written.
/// - lab03.t1.c4: loads move at most 1.1 times the sectors of: the weights, once for each begun kRowTile rows, and x, once
///   for each begun kOutputTile outputs. So up to kRowTile rows move the weights of one.
void linear(const float* x,                  // (rows, in)
            const stagecraft::bf16* weight,  // (out_width, in)
            float* out,                      // (rows, out_width)
            int rows, int in, int out_width);

/// What Rows::sequence holds for a row that only fills up a batch.
inline constexpr int32_t kPaddingRow = -1;

/// The largest head_dim that attention takes.
inline constexpr int kMaxHeadDim = 128;

/// Whose each row of a batch is. All arrays are device memory.
struct Rows {
  const int32_t* sequence;    // (rows) or kPaddingRow
  const int32_t* positions;   // (rows) the row sees the keys at positions 0 ... positions[row] of its sequence
  const int64_t* first_slot;  // (sequences) where position 0 of a sequence lies
  int count;                  // rows
};

/// lab03.t2: attention of a ragged batch. Query head h reads key and value head h / (heads / kv_heads). Keys and values
/// of position p of sequence s lie in slot first_slot[s] + p.
///
///     score[p] = (q[r][h] . keys[p][g]) * scale       w = softmax(score)       out[r][h] = sum of w[p] * values[p][g]
///
/// - lab03.t2.c1: within 1e-5 of fp64, over the keys that the row sees, for sequences of different lengths.
/// - lab03.t2.c2: what a row does not see does not exist for it: NaN in all other slots changes nothing.
/// - lab03.t2.c3: a padding row gets zeros, and reads no key; its position is garbage.
/// - lab03.t2.c4: the simulator finds nothing, and all of out is written. The last slot may be the end of the memory.
/// - lab03.t2.c5: the contract's bits (docs/exactness.md R3): tiles of kAttentionTile keys from position 0, each with its
///   own SoftmaxState; scores are exact_dot * scale, weights exact_exp(score - max), the sum of a tile's 64 weights is
///   exact_fold with +0 for keys that are not seen, values are added in increasing p with fmaf; states are merged in order.
void attention(const float* q,                  // (rows, heads, head_dim)
               const stagecraft::bf16* keys,    // (slots, kv_heads, head_dim)
               const stagecraft::bf16* values,  // (slots, kv_heads, head_dim)
               const Rows& rows,
               float* out,  // (rows, heads, head_dim)
               int heads, int kv_heads, int head_dim, float scale);

/// Output lengths of the requests of one static batch, which has at least one: how many steps each takes part in, at least 0.
using BatchLengths = std::vector<int64_t>;

/// What the lock step costs.
struct Padding {
  int64_t steps;   // of all batches: each takes as many as its longest request
  int64_t slots;   // places, summed over the steps: requests of the batch x its steps
  int64_t padded;  // those of them that held a request which had ended
  double share;    // padded / slots; 0 if there are no slots
};

/// lab03.t3: the law of padding, for batches that run one after the other; and batches that lower it.
///
/// - lab03.t3.c1: padding_of for one batch.
/// - lab03.t3.c2: for several of different sizes, for none, and for requests that want no token.
/// - lab03.t3.c3: choose_batches gives batches of 1 to `places` requests, and each request 0 ... lengths.size() - 1 is in
///   exactly one.
/// - lab03.t3.c4: these batches take as few steps together as any batches of `places` can.
Padding padding_of(const std::vector<BatchLengths>& batches);
std::vector<std::vector<int>> choose_batches(const std::vector<int64_t>& lengths,  // by request
                                             int places);

/// A machine's limits.
struct Machine {
  int64_t bytes_per_ns;  // memory bandwidth; the same number as GB/s
  int64_t flop_per_ns;   // the same number as GFLOP/s
};

/// What a step of a model reads and computes.
struct ModelCost {
  int64_t weight_bytes;        // read once a step
  int64_t parameters;          // a row costs 2 FLOP for each: a multiplication and an addition
  int64_t kv_bytes_per_token;  // read for each stored token of each row
};

/// A step of a batch in which each request computes one token.
struct DecodeStep {
  int64_t rows;
  int64_t kv_length;  // stored tokens of each row's request, at least 0
};

/// What rows_to_leave_memory returns if no batch is large enough.
inline constexpr int64_t kNever = -1;

/// lab03.t4: the roofline of a decoding step. Attention's own arithmetic is left out, as in stages/core/roofline.h.
///
/// - lab03.t4.c1: intensity: FLOP of the step / bytes that it reads, within 1e-6.
/// - lab03.t4.c2: step_ns: the longer of bytes / bandwidth and FLOP / FLOP rate, each rounded up to whole nanoseconds.
/// - lab03.t4.c3: rows_to_leave_memory: the least rows with which FLOP / FLOP rate is at least bytes / bandwidth, not
///   rounded. Bytes x FLOP rate and FLOP x bandwidth fit 64 bits.
/// - lab03.t4.c4: kNever where another row brings at least as much reading as arithmetic.
double intensity(const ModelCost& model, const DecodeStep& step);
int64_t step_ns(const ModelCost& model, const Machine& machine, const DecodeStep& step);
int64_t rows_to_leave_memory(const ModelCost& model, const Machine& machine, int64_t kv_length);

/// Where the loop of task 5 gets its requests, and what it can do with them. A request is a number.
class Service {
 public:
  virtual ~Service() = default;

  /// The oldest requests that have arrived and were not handed out before, at most `most`: each has a place from now on.
  /// Waits until there is one; empty: no more will come. Not more may hold places than there are.
  virtual std::vector<int> gather(int most) = 0;

  /// Whether it wants no further token. Some want none from the start; people who go away end theirs between two steps.
  virtual bool ended(int request) = 0;

  /// One pass of the model: one token for each of `requests`, none of which has ended. `padded` of the batch's places
  /// take no part.
  virtual void step(const std::vector<int>& requests, int padded) = 0;

  /// Gives its place back.
  virtual void release(int request) = 0;
};

/// What a run did, summed over its steps.
struct Served {
  int64_t steps;
  int64_t rows;    // tokens drawn
  int64_t padded;  // places of ended requests
};

/// lab03.t5: serves everything in static batches of at most `places`.
///
/// - lab03.t5.c1: a step's requests are those of its batch that have not ended, in the order of gather; a batch goes on
///   until all have ended.
/// - lab03.t5.c2: nobody joins a batch that has begun; all give their places back when all have ended, before the next
///   batch is gathered.
/// - lab03.t5.c3: Served, and what is told to step as padded.
Served serve_in_batches(Service& service, int places);

}  // namespace lab03
