/// @file
/// out[t][o] = dot(x[t], weight[o]) + bias[o] for a few rows ("tokens" here; "rows" are those of the weights): some
/// requests decoded together, or the drafts that one speculative step verifies. bf16 weights in whole blocks of 64.
///
/// Each weight serves so few tokens that widening it and writing it down in another order, as linear_gemm does, costs
/// more than it saves; and memory is nearly as busy as with one token. So weights are used where they lie. A tile of rows
/// comes into the L1 cache once and is walked once for each vector of partial sums, so that those of all rows and tokens
/// of the tile fit the registers; meanwhile the rows of the next tile are asked for.
///
///     for each tile of rows, for each tile of tokens
///       for even and odd elements, for each vector v of the kPairVectors in a block
///         for each block of 64 elements
///           acc[r][t] += w[r][element of v] * x[t][element of v]
///
/// The walks come in the order in which the fold wants their sums: see fold_order.h.
#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/linear_few.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/row_shares.h"
#include "kernels/cpu/simd/bf16_pairs-inl.h"
#include "kernels/cpu/simd/bias-inl.h"
#include "kernels/cpu/simd/fold-inl.h"
#include "kernels/cpu/simd/fold_order.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/thread_pool.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

// Accumulators of a tile, a vector of each token and one of a row must fit the registers: 16 with AVX2, else 32.
constexpr int kTileRows = std::min(kPairVectors, kLanes);
constexpr int kTileTokens = HWY_TARGET == HWY_AVX2 ? 3 : HWY_TARGET == HWY_AVX3 ? 6 : 4;
static_assert(kLanes % kTileRows == 0);

constexpr int kLevels = log2_of(kPairVectors);  // of waiting sums

/// What a step of a walk asks for of the next tile, so that all walks together ask for all of it: with AVX2 and AVX-512 a
/// cache line.
constexpr int64_t kAheadInStep = kTileRows * kPartialSums / (2 * kPairVectors);

/// Weights of the shortest item of work.
constexpr int64_t kShortestItemBytes = 12 * 1024;

/// The tokens, packed in the order in which they are read, in tiles of equal width (the last may be narrower):
/// (tiles, even and odd, kPairVectors, blocks of 64, tokens of the tile, kLanes).
class PackedTokens {
 public:
  PackedTokens(const float* x, int tokens, int64_t in, float* memory)
      : tokens_(tokens), width_(width_of_tiles(tokens)), in_(in), packed_(memory) {
    for (int t = 0; t < tokens; ++t) {
      const int first = t / width_ * width_, width = std::min(width_, tokens - first);
      float* to = packed_ + first * in + (t - first) * kLanes;
      for (int64_t k = 0; k < in; k += kPairElements) {
        const int64_t block = k / kPartialSums, vector = k % kPartialSums / kPairElements;
        float* even = to + (vector * blocks() + block) * width * kLanes;
        split_vector(x + t * in + k, even, even + kPairVectors * blocks() * width * kLanes);
      }
    }
  }

  int tokens() const { return tokens_; }
  int width() const { return width_; }
  int64_t blocks() const { return in_ / kPartialSums; }

  /// The tile that begins with token `first`.
  const float* tile(int first) const { return packed_ + first * in_; }

 private:
  static int width_of_tiles(int tokens) {
    const int tiles = (tokens + kTileTokens - 1) / kTileTokens;
    return (tokens + tiles - 1) / tiles;
  }

  int tokens_, width_;
  int64_t in_;
  float* packed_;
};

/// Rows of weights, and where the rows behind them lie.
struct WeightTile {
  const bf16* row[kTileRows];
  const bf16* next;
  int64_t blocks;
};

/// What remains to be folded of kLanes rows: a vector for each token and row, even and odd apart.
struct StripeSums {
  HWY_ALIGN float at[2][kMostFewRows][kLanes][kLanes];
};

/// Sums of a tile that wait for others, a vector for each level, row and token. (Memory, not Vec: g++ copies arrays of
/// vectors to and fro.)
template <int kTokens>
struct WaitingSums {
  HWY_ALIGN float at[kLevels][kTileRows][kTokens][kLanes];
};

/// A walk over a tile: the partial sums of one vector, added to those that wait for them on kLevel levels. The last
/// walk's go to `sums`, row and token `first_row` and `first` and those behind them.
template <bool kOdd, int kTokens, int kVisit>
HWY_INLINE void walk(const WeightTile& weights, const float* x, int first_row, int first, WaitingSums<kTokens>& waiting,
                     StripeSums& sums) {
  constexpr int kVector = visited<kPairVectors>(kVisit), kLevel = level_of(kVisit),
                kWalk = kOdd * kPairVectors + kVector;
  const Floats d;
  Vec acc[kTileRows][kTokens];
  for (int r = 0; r < kTileRows; ++r) {
    for (int t = 0; t < kTokens; ++t) acc[r][t] = hn::Zero(d);
  }
  x += kWalk * weights.blocks * kTokens * kLanes;
  const bf16* next = weights.next + kWalk * weights.blocks * kAheadInStep;
  for (int64_t b = 0; b < weights.blocks; ++b) {
    hwy::Prefetch(next + b * kAheadInStep);
    Vec token[kTokens];
    for (int t = 0; t < kTokens; ++t) token[t] = hn::Load(d, x + (b * kTokens + t) * kLanes);
    for (int r = 0; r < kTileRows; ++r) {
      const WordVec pairs = load_pairs(weights.row[r] + b * kPartialSums + kVector * kPairElements);
      const Vec w = kOdd ? odd_of(pairs) : even_of(pairs);
      for (int t = 0; t < kTokens; ++t) acc[r][t] = fma(token[t], w, acc[r][t]);
    }
  }
  for (int r = 0; r < kTileRows; ++r) {
    for (int t = 0; t < kTokens; ++t) {
      Vec sum = acc[r][t];
      for (int l = 0; l < kLevel; ++l) sum = hn::Add(hn::Load(d, waiting.at[l][r][t]), sum);
      hn::Store(sum, d,
                kLevel == kLevels ? sums.at[kOdd][first + t][first_row + r] : waiting.at[kLevel % kLevels][r][t]);
    }
  }
}

/// All walks over the even or odd elements of a tile.
template <bool kOdd, int kTokens, int... kVisits>
HWY_INLINE void add_walks(const WeightTile& weights, const float* x, int first_row, int first, StripeSums& sums,
                          std::integer_sequence<int, kVisits...>) {
  WaitingSums<kTokens> waiting;
  (walk<kOdd, kTokens, kVisits>(weights, x, first_row, first, waiting, sums), ...);
}

/// (Inlined, so that it stands in a loop: elsewhere g++ 12 does not unroll loops over rows in time to see that the sums can
/// live in registers.)
template <int kTokens>
HWY_INLINE void add_tile(const WeightTile& weights, const float* x, int first_row, int first, StripeSums& sums) {
  const auto visits = std::make_integer_sequence<int, kPairVectors>();
  add_walks<false, kTokens>(weights, x, first_row, first, sums, visits);
  add_walks<true, kTokens>(weights, x, first_row, first, sums, visits);
}

/// add_tile<tokens>, for as many as a tile may have.
template <int kTokens = kTileTokens>
HWY_INLINE void add_tile_of(int tokens, const WeightTile& weights, const float* x, int first_row, int first,
                            StripeSums& sums) {
  if constexpr (kTokens > 1) {
    if (tokens < kTokens) return add_tile_of<kTokens - 1>(tokens, weights, x, first_row, first, sums);
  }
  add_tile<kTokens>(weights, x, first_row, first, sums);
}

HWY_INLINE Vec fold_rows(const float (&sums)[kLanes][kLanes]) {
  Vec rows[kLanes];
  for (int i = 0; i < kLanes; ++i) rows[i] = hn::Load(Floats(), sums[i]);
  return fold_lanes(rows);
}

/// Rows [first, last) of the weights, at most kLanes of them, against all tokens.
void dot_stripe(const PackedTokens& x, const bf16* weight, WeightView bias, float* out, int64_t out_width,
                int64_t first, int64_t last) {
  const int64_t in = x.blocks() * kPartialSums;
  StripeSums sums;
  for (int row = 0; row < kLanes; row += kTileRows) {
    WeightTile tile;
    for (int r = 0; r < kTileRows; ++r) tile.row[r] = weight + std::min(first + row + r, last - 1) * in;
    tile.next = weight + (first + row + kTileRows) * in;
    tile.blocks = x.blocks();
    for (int token = 0; token < x.tokens(); token += x.width()) {
      add_tile_of(std::min(x.width(), x.tokens() - token), tile, x.tile(token), row, token, sums);
    }
  }
  for (int t = 0; t < x.tokens(); ++t) {
    const Vec folded = hn::Add(fold_rows(sums.at[0][t]), fold_rows(sums.at[1][t]));
    store_with_bias(folded, bias, first, int(last - first), out + t * out_width + first);
  }
}

}  // namespace

bool suits_linear_few(NumberType type, int rows, int in) {
  return rows > 0 && rows <= kMostFewRows && has_whole_pairs(type, in);
}

void linear_few(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width,
                Stream stream) {
  ThreadPool& pool = *static_cast<ThreadPool*>(stream.handle);
  const PackedTokens tokens(x, rows, in, pool.shared().floats(size_t(rows) * size_t(in)));
  const int64_t row_bytes = std::max<int64_t>(1, in * bytes_of(weight.type));
  const RowShares shares(out_width, pool.threads(), kLanes, kShortestItemBytes / row_bytes);
  pool.run(shares.items(), [&](int64_t item, int) {
    const int64_t end = shares.first(item + 1);
    for (int64_t row = shares.first(item); row < end; row += kLanes) {
      dot_stripe(tokens, static_cast<const bf16*>(weight.data), bias, out, out_width, row, std::min(end, row + kLanes));
    }
  });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
