#pragma once
/// @file
/// The contract of lab 2. Functions with device pointers launch kernels with simt::launch and return; nothing is
/// allocated. Counts are at least 1 unless said otherwise. "The contract's bits" are those of kernels/exact_math.h:
/// exact_dot, exact_exp, exact_fold, merge. Task 3 gives the very bits of the engine's attention, so your kernels can
/// stand in for it (labs/lab bench lab02).
#include <cstdint>
#include <span>

#include "kernels/exact_math.h"
#include "kernels/kernels.h"
#include "kernels/number_types.h"

namespace lab02 {

/// One layer's keys and values. A slot is one token's place; which token lies where, the caller knows.
struct Cache {
  void* keys;    // (slots, kv_heads, head_dim) of `type`
  void* values;  // (slots, kv_heads, head_dim) of `type`
  stagecraft::NumberType type;
};

/// lab02.t1: row r of this pass goes to slot slots[r], each element rounded to the cache's type (stagecraft::round_to).
///
/// - lab02.t1.c1: keys and values of all rows, for bf16, fp16 and fp32 and any width.
/// - lab02.t1.c2: every other slot keeps its bits.
/// - lab02.t1.c3: the simulator finds nothing, and the named slots are written completely.
/// - lab02.t1.c4: neighbouring threads take neighbouring elements: stores move at most 1.05 times the sectors that the
///   rows fill in the cache, loads at most 1.25 times those that they fill in fp32.
void append(const float* keys,     // (rows, width)
            const float* values,   // (rows, width)
            const int64_t* slots,  // (rows), all different, in any order
            const Cache& cache, int rows, int width);

/// The heads of a layer. Query head h reads key and value head h / (heads / kv_heads).
struct Heads {
  int heads, kv_heads;  // kv_heads divides heads
  int head_dim;         // even
  float scale;          // scores are multiplied by it
};
inline constexpr int kMaxHeadDim = 128;
inline constexpr int kMaxGroup = 8;  // query heads that share a key head

/// The tokens whose attention is computed, and where the keys of their sequences lie: position p of sequence s lies in
/// slot first_slot[s] + p. A row sees the keys at positions 0 ... positions[row] of its sequence, which are all
/// stored: its own too. The arrays are device memory.
struct Queries {
  const int64_t* first_slot;  // (sequences)
  const int32_t* sequence;    // (rows)
  const int32_t* positions;   // (rows)
  int rows;
  int tiles;  // as many tiles of 64 keys as the row with the most keys has, or more
};

/// What one tile of 64 keys says to one query, for all of them. Tile t covers positions 64 t ... 64 t + 63.
struct TileStates {
  stagecraft::SoftmaxState* softmaxes;  // (rows, heads, tiles)
  float* values;                        // (rows, heads, tiles, head_dim)
};

/// lab02.t2: for each row, query head and tile with at least one key that the row sees, over those keys k of the tile:
///
///     score[k] = (q . key[k]) * scale        max = largest score        weight[k] = e^(score[k] - max)
///     softmaxes = {max, sum of weight[k]}    values = sum of weight[k] * value[k], not divided
///
/// Tiles of which a row sees no key are left alone.
///
/// - lab02.t2.c1: within 1e-5 of fp64, for one head and one tile.
/// - lab02.t2.c2: likewise for several tiles and sequences, and query heads that share key heads.
/// - lab02.t2.c3: bits: exact_dot(q, key, head_dim) * scale; exact_exp; the 64 weights, +0 for keys not seen, folded
///   like the partial sums of exact_fold; values from 0 by one fmaf(weight, value, sum) a key, in the order of
///   positions.
/// - lab02.t2.c4: what no row sees is never used: slots past a sequence's end hold NaN, and weight 0 times NaN is NaN.
/// - lab02.t2.c5: the simulator finds nothing, and every state of a tile with visible keys is written.
/// - lab02.t2.c6: each key and value is loaded once for all query heads that share it: loads move at most 1.2 times the
///   sectors that keys, values and queries fill.
/// - lab02.t2.c7: shared memory without bank conflicts: loads take at most 1.1 times the fewest wavefronts.
void attend_tiles(const float* q,  // (rows, heads, head_dim)
                  const Cache& cache, const Queries& queries, const Heads& heads, const TileStates& out);

/// lab02.t3: attention of each row and head from its states: the first one as it is, then tile by tile, in order,
///
///     m = larger of both max    e = e^(max - m), of all tiles before    l = e^(later max - m), of this one
///     max = m    sum = fmaf(sum, e, later sum * l)    value = fmaf(value, e, later value * l), for each element
///
/// and at the end value / sum. This is online softmax; stagecraft::merge does all of it but the values.
///
/// - lab02.t3.c1: bits, from given states of any number of tiles; states past a row's last tile are not read.
/// - lab02.t3.c2: decode_attention, with your attend_tiles before it, gives the bits of the engine's attention, for any
///   length and each type of cache.
/// - lab02.t3.c3: likewise for rows of several sequences, and for several rows of one (a chunk of a prompt).
/// - lab02.t3.c4: the simulator finds nothing, and all of out is written.
/// - lab02.t3.c5: the merge loads each state once for each warp, and each value once: at most 1.5 times the sectors
///   that values and states fill.
void merge_tiles(const TileStates& from, const Queries& queries, const Heads& heads,
                 float* out);  // (rows, heads, head_dim)

/// Both, one after the other; scratch has scratch_floats(...) floats. Given.
void decode_attention(const float* q,  // (rows, heads, head_dim)
                      const Cache& cache, const Queries& queries, const Heads& heads,
                      float* out,  // (rows, heads, head_dim)
                      float* scratch);

/// A state has max, sum and head_dim values.
inline constexpr int64_t scratch_floats(const Heads& heads, int64_t rows, int64_t tiles) {
  constexpr int64_t kMaxAndSum = 2;
  return rows * heads.heads * tiles * (kMaxAndSum + heads.head_dim);
}

/// What decides how many bytes a model holds, reads and computes with.
struct Model {
  int layers, heads, kv_heads, head_dim;
  int64_t parameters;
  stagecraft::NumberType weight_type, kv_type;
};

/// A step of a sequence: the tokens at positions first ... first + rows - 1 go through the model.
struct Step {
  int64_t first;
  int64_t rows;
  bool draws;  // its last row is the text's last token, so the next token can be drawn
};

/// Bytes of a step, of weights and of the cache; what else it moves is little.
struct Traffic {
  int64_t read, written;
};

/// lab02.t4: bytes, in 64 bits.
///
/// - lab02.t4.c1: kv_bytes_per_token: a key and a value for each layer and key head, of the cache's type.
/// - lab02.t4.c2: tokens_that_fit: how many tokens' keys and values fit into the memory that the weights leave; 0 if
///   they leave none.
/// - lab02.t4.c3: step_traffic: all weights are read once, however many rows there are; the keys and values of the
///   step's rows are written, and then those of all positions up to its last are read once.
int64_t kv_bytes_per_token(const Model& model);
int64_t tokens_that_fit(const Model& model, int64_t memory_bytes);
Traffic step_traffic(const Model& model, const Step& step);

/// lab02.t5: what goes through the model next. A text has `known` tokens, the cache holds the keys and values of the
/// first `cached` of them, and a step computes at most `budget` tokens. Tokens are computed in order, without gaps,
/// until the last row's logits draw the next one. The caller then has one token more.
///
/// - lab02.t5.c1: when a token is drawn, keys and values of exactly this text are stored: nothing is missing.
/// - lab02.t5.c2: 1 <= rows <= budget, and a step draws if and only if its last row is the text's last token: a prompt
///   that is larger than the budget comes in chunks.
/// - lab02.t5.c3: a text may be replaced by another. still_cached says how many tokens of `stored`, whose keys and
///   values the cache holds, are valid for `text`: those before the first difference. The text may be shorter, longer,
///   or the same; a text that is cached whole still draws, so its last token is computed again.
/// - lab02.t5.c4: no token is computed that the cache holds, but for that one.
/// - lab02.t5.c5: known < 1, cached < 0 or > known, budget < 1: throws stagecraft::BadInput with the value in its
///   message.
Step next_step(int64_t known, int64_t cached, int64_t budget);
int64_t still_cached(std::span<const stagecraft::TokenId> stored, std::span<const stagecraft::TokenId> text);

/// The limits of a machine.
struct Machine {
  double bytes_per_second, operations_per_second;
};

/// All steps of a generation together.
struct Work {
  int64_t tokens;  // that go through the model
  int64_t operations, bytes_read, bytes_written;
};

/// lab02.t6: what the cache saves, and from where on. Multiplication and addition are two operations. For a row: 2 for
/// each parameter; and for each key that it sees 4 for each element of a query head, in each layer (2 for q . k, 2 for
/// the values).
///
/// - lab02.t6.c1: operations of a step.
/// - lab02.t6.c2: generation_work of `output` tokens after `prompt`, one pass a token: naive, where each pass computes
///   the whole text, and with a cache; output may be 0.
/// - lab02.t6.c3: cache_wins_from: the smallest length of a text for which the pass that draws its next token takes
///   longer naively than with a cache that holds all but the last token. A pass takes as long as the slower of its two
///   limits: bytes read / bytes_per_second, or operations / operations_per_second.
int64_t operations(const Model& model, const Step& step);
enum class Decoding { naive, cached };
Work generation_work(const Model& model, int64_t prompt, int64_t output, Decoding decoding);
int64_t cache_wins_from(const Model& model, const Machine& machine);

}  // namespace lab02
