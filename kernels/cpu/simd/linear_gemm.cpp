/// @file
/// out[t][o] = dot(x[t], weight[o]) + bias[o] for many rows ("tokens" here; "rows" are those of the weights).
///
/// The canonical dot product keeps 64 partial sums, far more than a register tile of several rows and tokens has room
/// for. But a partial sum only ever meets its own elements, so some of them can be computed from start to end, for a whole
/// tile, before the next ones are begun. Here that is a pair: the groups of kLanes partial sums j and j + kPairs, which
/// the first step of the fold adds to each other.
///
///     for each pair j of groups, in the order in which the fold wants them
///       for each block b of 64 elements, for both groups g of the pair
///         acc[g][r][t] += w[r][64 b + kLanes g ...] * x[t][64 b + kLanes g ...]
///
/// The fold then adds pair j + s to pair j for falling s: see fold_order.h.
///
/// Weights are widened once for all tokens, and both sides are packed in the order in which they are read:
///
///     packed block   (pairs, tiles, blocks of 64, 2 groups, rows or tokens of the tile, kLanes)
///
/// Loops, outermost first: panels of weights (shared among threads), blocks of tokens, pairs, tiles. A panel stays in the
/// L2 cache for all tokens; what a pair needs of it, and of a block of tokens, comes into the L1 cache once.
#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/linear_gemm.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/bias-inl.h"
#include "kernels/cpu/simd/fold-inl.h"
#include "kernels/cpu/simd/fold_order.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/thread_pool.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

constexpr int kPairs = kGroups / 2;

// Two groups' accumulators, the vectors of a tile's rows and one token's must fit the registers: 16 with AVX2, else 32.
constexpr int kTileRows = 3;
constexpr int kTileTokens = HWY_TARGET == HWY_AVX2 ? 2 : 4;

constexpr int kPanelRows = kLanes == 16 ? 48 : 24;
constexpr int kBlockTokens = 16;
static_assert(kPanelRows % kTileRows == 0 && kPanelRows % kLanes == 0 && kBlockTokens % kTileTokens == 0);

/// Packed tokens of one pass over the weights; more tokens take another pass.
constexpr int64_t kPassBytes = 4 * 1024 * 1024;
constexpr int64_t kSmallestPass = 64;

/// Tokens below which the work is not split by tokens too, as each split packs the weights again.
constexpr int64_t kSmallestTokenRange = 64;
constexpr int64_t kItemsPerThread = 4;

constexpr int kLevels = log2_of(kPairs);  // of waiting sums

/// A dot product's length in blocks of 64.
struct Length {
  int64_t elements;
  int64_t whole;   // whole blocks
  int64_t blocks;  // rounded up
  int64_t padded() const { return blocks * kPartialSums; }
};

/// Elements of group g in the last block if that is not whole.
int in_last_block(Length n, int g) {
  return int(std::clamp<int64_t>(n.elements - n.whole * kPartialSums - g * kLanes, 0, kLanes));
}

/// Floats of one row or token in one pair of a packed block.
int64_t pair_floats(Length n) { return n.blocks * 2 * kLanes; }

/// Packs `rows` rows of x or of the weights as `count` of them (the last is repeated), in tiles of up to `tile`.
template <class T>
void pack_block(const T* from, Length n, int rows, int count, int tile, float* to) {
  for (int i = 0; i < count; ++i) {
    const T* row = from + std::min(i, rows - 1) * n.elements;
    const int first = i / tile * tile, width = std::min(tile, count - first);
    for (int64_t b = 0; b < n.blocks; ++b) {
      prefetch_block(row + b * kPartialSums);
      for (int g = 0; g < kGroups; ++g) {
        const int valid = b < n.whole ? kLanes : in_last_block(n, g);
        const T* element = row + b * kPartialSums + g * kLanes;
        const Vec v = valid == kLanes ? widen(element) : widen_some(element, valid);
        float* in_tile = to + (g % kPairs * count + first) * pair_floats(n);
        hn::Store(v, Floats(), in_tile + ((b * 2 + g / kPairs) * width + i - first) * kLanes);
      }
    }
  }
}

/// Where the sums of a tile go: one vector for each (row, token), kBlockTokens apart from row to row.
struct TileSums {
  float* waiting;   // level 0; the next one stands kLevelStride further on
  float* finished;  // where the sum goes that completes all levels
};
constexpr int64_t kLevelStride = kPanelRows * kBlockTokens * kLanes;

/// One pair of groups of a kTileRows x kTokens tile: its partial sums, added to those that wait for them on kLevel levels.
template <int kTokens, int kLevel>
HWY_INLINE void compute_tile(const float* w, const float* x, Length n, int pair, const TileSums& sums) {
  const Floats d;
  Vec acc[2][kTileRows][kTokens];
  for (int g = 0; g < 2; ++g) {
    for (int r = 0; r < kTileRows; ++r) {
      for (int t = 0; t < kTokens; ++t) acc[g][r][t] = hn::Zero(d);
    }
  }
  for (int64_t b = 0; b < n.whole; ++b, w += 2 * kTileRows * kLanes, x += 2 * kTokens * kLanes) {
    for (int g = 0; g < 2; ++g) {
      Vec row[kTileRows];
      for (int r = 0; r < kTileRows; ++r) row[r] = hn::Load(d, w + (g * kTileRows + r) * kLanes);
      keep_loaded();
      for (int t = 0; t < kTokens; ++t) {
        const Vec token = hn::Load(d, x + (g * kTokens + t) * kLanes);
        for (int r = 0; r < kTileRows; ++r) acc[g][r][t] = fma(row[r], token, acc[g][r][t]);
      }
    }
  }
  if (HWY_UNLIKELY(n.whole < n.blocks)) {
    for (int g = 0; g < 2; ++g) {
      const int lanes = in_last_block(n, pair + g * kPairs);
      for (int r = 0; r < kTileRows; ++r) {
        const Vec row = hn::Load(d, w + (g * kTileRows + r) * kLanes);
        for (int t = 0; t < kTokens; ++t) {
          acc[g][r][t] = fma_some(row, hn::Load(d, x + (g * kTokens + t) * kLanes), acc[g][r][t], lanes);
        }
      }
    }
  }
  float* to = kLevel == kLevels ? sums.finished : sums.waiting + kLevel * kLevelStride;
  for (int r = 0; r < kTileRows; ++r) {
    for (int t = 0; t < kTokens; ++t) {
      const int at = (r * kBlockTokens + t) * kLanes;
      Vec sum = hn::Add(acc[0][r][t], acc[1][r][t]);
      for (int l = 0; l < kLevel; ++l) sum = hn::Add(hn::Load(d, sums.waiting + l * kLevelStride + at), sum);
      hn::Store(sum, d, to + at);
    }
  }
}

/// One thread's memory: a packed panel, sums that wait, finished sums.
struct Panel {
  float* weights;
  float* waiting;
  float* finished;
  int rows;  // of which each has weights: a multiple of kTileRows

  static size_t floats(Length n) { return size_t(kPanelRows * n.padded() + kLevelStride * (kLevels + 1)); }
  Panel(float* memory, Length n, int its_rows)
      : weights(memory),
        waiting(memory + kPanelRows * n.padded()),
        finished(waiting + kLevelStride * kLevels),
        rows(its_rows) {}
};

/// One pair of groups of a panel against a packed block of tokens, where the pair completes kLevel waiting sums.
template <int kLevel>
void compute_pair(const Panel& panel, const float* x, Length n, int pair, int tokens) {
  for (int row = 0; row < panel.rows; row += kTileRows) {
    const float* w = panel.weights + (pair * panel.rows + row) * pair_floats(n);
    for (int token = 0; token < tokens; token += kTileTokens) {
      const float* xt = x + (pair * tokens + token) * pair_floats(n);
      const int64_t at = (row * kBlockTokens + token) * kLanes;
      const TileSums sums{panel.waiting + at, panel.finished + at};
      const int width = std::min(kTileTokens, tokens - token);
      if (HWY_LIKELY(width == kTileTokens)) {
        compute_tile<kTileTokens, kLevel>(w, xt, n, pair, sums);
      } else if (width == 1) {
        compute_tile<1, kLevel>(w, xt, n, pair, sums);
      } else if (width == 2) {
        compute_tile<2, kLevel>(w, xt, n, pair, sums);
      } else {
        compute_tile<3, kLevel>(w, xt, n, pair, sums);
      }
    }
  }
}

/// A panel against a packed block of `tokens` tokens, at most kBlockTokens.
void compute_block(const Panel& panel, const float* x, Length n, int tokens) {
  for (int i = 0; i < kPairs; ++i) {
    const int pair = visited<kPairs>(i);
    static_assert(kLevels <= 3);
    switch (level_of(i)) {
      case 0:
        compute_pair<0>(panel, x, n, pair, tokens);
        break;
      case 1:
        compute_pair<1>(panel, x, n, pair, tokens);
        break;
      case 2:
        compute_pair<std::min(2, kLevels)>(panel, x, n, pair, tokens);
        break;
      default:
        compute_pair<kLevels>(panel, x, n, pair, tokens);
        break;
    }
  }
}

/// Folds the finished sums of `rows` rows and `tokens` tokens and stores them.
void store_block(const float* finished, int rows, int tokens, WeightView bias, int64_t first_row, float* out,
                 int64_t out_width) {
  for (int t = 0; t < tokens; ++t) {
    for (int row = 0; row < rows; row += kLanes) {
      Vec sums[kLanes];
      for (int i = 0; i < kLanes; ++i) {
        sums[i] = hn::Load(Floats(), finished + ((row + i) * kBlockTokens + t) * kLanes);
      }
      store_with_bias(fold_lanes(sums), bias, first_row + row, std::min(kLanes, rows - row),
                      out + t * out_width + first_row + row);
    }
  }
}

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// One pass: `tokens` tokens against all weights.
template <class W>
void multiply(const float* x, const W* weight, WeightView bias, float* out, int64_t tokens, Length n, int64_t out_width,
              ThreadPool& pool) {
  float* packed = pool.shared().floats(size_t(tokens * n.padded()));
  pool.run(divide_up(tokens, kBlockTokens), [&](int64_t block, int) {
    const int64_t first = block * kBlockTokens;
    const int count = int(std::min<int64_t>(kBlockTokens, tokens - first));
    pack_block(x + first * n.elements, n, count, count, kTileTokens, packed + first * n.padded());
  });

  const int64_t panels = divide_up(out_width, kPanelRows);
  const int64_t ranges = std::clamp<int64_t>(divide_up(pool.threads() * kItemsPerThread, panels), 1,
                                             divide_up(tokens, kSmallestTokenRange));
  const int64_t range_tokens = divide_up(divide_up(tokens, ranges), kBlockTokens) * kBlockTokens;

  for (int thread = 0; thread < pool.threads(); ++thread) pool.scratch(thread).floats(Panel::floats(n));
  pool.run(panels * ranges, [&](int64_t item, int thread) {
    const int64_t first_row = item / ranges * kPanelRows;
    const int rows = int(std::min<int64_t>(kPanelRows, out_width - first_row));
    const Panel panel(pool.scratch(thread).floats(Panel::floats(n)), n, int(divide_up(rows, kTileRows)) * kTileRows);
    pack_block(weight + first_row * n.elements, n, rows, panel.rows, kTileRows, panel.weights);
    const int64_t first = item % ranges * range_tokens, end = std::min(tokens, first + range_tokens);
    for (int64_t token = first; token < end; token += kBlockTokens) {
      const int block = int(std::min<int64_t>(kBlockTokens, end - token));
      compute_block(panel, packed + token * n.padded(), n, block);
      store_block(panel.finished, rows, block, bias, first_row, out + token * out_width, out_width);
    }
  });
}

}  // namespace

void linear_gemm(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width,
                 Stream stream) {
  const Length n{in, in / kPartialSums, divide_up(in, kPartialSums)};
  const int64_t fitting = kPassBytes / int64_t(sizeof(float)) / std::max<int64_t>(1, n.padded());
  const int64_t pass = std::max(kSmallestPass, fitting / kBlockTokens * kBlockTokens);
  with_elements(weight.type, weight.data, [&](const auto* elements) {
    for (int64_t first = 0; first < rows; first += pass) {
      multiply(x + first * in, elements, bias, out + first * out_width, std::min<int64_t>(pass, rows - first), n,
               out_width, *static_cast<ThreadPool*>(stream.handle));
    }
  });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
