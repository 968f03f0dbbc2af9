/// @file
/// out[t][o] = dot(x[t], weight[o]) + bias[o] for many rows ("tokens" here; "rows" are those of the weights).
///
/// The canonical dot product keeps 64 partial sums, far more than a register tile of several rows and tokens has room
/// for. But a partial sum only ever meets its own elements, so one group of kLanes partial sums can be computed from
/// start to end, for a whole tile, before the next group is begun (kTileRows x kTileTokens accumulators):
///
///     for each group g of the 64 / kLanes, in the order in which the fold wants them
///       for each block b of 64 elements     acc[r][t] += w[r][64 b + kLanes g ...] * x[t][64 b + kLanes g ...]
///
/// The fold adds group j + s to group j for falling s. Groups visited in bit-reversed order (0 4 2 6 1 5 3 7) arrive
/// like the carries of a binary counter: at most one waiting sum on each level (level_of below).
///
/// Weights are widened once for all tokens, and both sides are packed in the order in which they are read:
///
///     packed tile   (groups, blocks, rows or tokens of the tile, kLanes)
///
/// Loops, outermost first: panels of weights (shared among threads), blocks of tokens, slices of the panel whose part
/// of one group stays in the L1 cache, groups, tiles.
#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/linear_gemm.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/bias-inl.h"
#include "kernels/cpu/simd/fold-inl.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/thread_pool.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

// Accumulators, the rows' vectors and one token's must fit the registers: 16 with AVX2, 32 elsewhere.
constexpr int kTileRows = HWY_TARGET == HWY_AVX2 ? 3 : 6;
constexpr int kTileTokens = 4;

constexpr int kPanelRows = kLanes == 16 ? 48 : 24;
constexpr int kBlockTokens = 8;
static_assert(kPanelRows % kTileRows == 0 && kPanelRows % kLanes == 0 && kBlockTokens % kTileTokens == 0);

/// A group of a slice of the panel should take about this much of the L1 cache.
constexpr int64_t kSliceBytes = 8 * 1024;

/// Packed tokens of one pass over the weights; more tokens take another pass.
constexpr int64_t kPassBytes = 4 * 1024 * 1024;
constexpr int64_t kSmallestPass = 64;

/// Tokens below which the work is not split by tokens too, as each split packs the weights again.
constexpr int64_t kSmallestTokenRange = 64;
constexpr int64_t kItemsPerThread = 4;

constexpr int log2_of(int n) { return n == 1 ? 0 : 1 + log2_of(n / 2); }
constexpr int kLevels = log2_of(kGroups);  // of waiting sums

/// The group that is visited i-th: i with its bits reversed.
constexpr int group_visited(int i) {
  int group = 0;
  for (int bit = 1; bit < kGroups; bit *= 2) group = group * 2 + ((i & bit) ? 1 : 0);
  return group;
}

/// How many waiting sums the group visited i-th completes: they stand on levels 0 to level_of(i) - 1.
constexpr int level_of(int i) {
  int level = 0;
  for (; i & 1; i /= 2) ++level;
  return level;
}

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

/// Packs `count` rows of x or of the weights as a tile of `width` of them; missing ones repeat the last.
template <class T>
void pack_tile(const T* from, Length n, int64_t stride, int count, int width, float* to) {
  for (int i = 0; i < width; ++i) {
    const T* row = from + std::min(i, count - 1) * stride;
    for (int64_t b = 0; b < n.blocks; ++b) {
      for (int g = 0; g < kGroups; ++g) {
        const int valid = b < n.whole ? kLanes : in_last_block(n, g);
        const T* element = row + b * kPartialSums + g * kLanes;
        const Vec v = valid == kLanes ? widen(element) : widen_some(element, valid);
        hn::Store(v, Floats(), to + ((g * n.blocks + b) * width + i) * kLanes);
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

/// One group of a kTileRows x kTokens tile: its partial sums, added to those that wait for them on kLevel levels.
template <int kTokens, int kLevel>
HWY_INLINE void compute_tile(const float* w, const float* x, int64_t blocks, int last_block, const TileSums& sums) {
  const Floats d;
  Vec acc[kTileRows][kTokens];
  for (int r = 0; r < kTileRows; ++r) {
    for (int t = 0; t < kTokens; ++t) acc[r][t] = hn::Zero(d);
  }
  for (int64_t b = 0; b < blocks; ++b, w += kTileRows * kLanes, x += kTokens * kLanes) {
    Vec row[kTileRows];
    for (int r = 0; r < kTileRows; ++r) row[r] = hn::Load(d, w + r * kLanes);
    for (int t = 0; t < kTokens; ++t) {
      const Vec token = hn::Load(d, x + t * kLanes);
      for (int r = 0; r < kTileRows; ++r) acc[r][t] = fma(row[r], token, acc[r][t]);
    }
  }
  if (HWY_UNLIKELY(last_block > 0)) {
    for (int r = 0; r < kTileRows; ++r) {
      const Vec row = hn::Load(d, w + r * kLanes);
      for (int t = 0; t < kTokens; ++t) acc[r][t] = fma_some(row, hn::Load(d, x + t * kLanes), acc[r][t], last_block);
    }
  }
  float* to = kLevel == kLevels ? sums.finished : sums.waiting + kLevel * kLevelStride;
  for (int r = 0; r < kTileRows; ++r) {
    for (int t = 0; t < kTokens; ++t) {
      const int at = (r * kBlockTokens + t) * kLanes;
      for (int l = 0; l < kLevel; ++l) {
        acc[r][t] = hn::Add(hn::Load(d, sums.waiting + l * kLevelStride + at), acc[r][t]);
      }
      hn::Store(acc[r][t], d, to + at);
    }
  }
}

/// One thread's memory: a packed panel, sums that wait, finished sums.
struct PanelScratch {
  float* weights;
  float* waiting;
  float* finished;

  static size_t floats(Length n) { return size_t(kPanelRows * n.padded() + kLevelStride * (kLevels + 1)); }
  PanelScratch(float* memory, Length n)
      : weights(memory), waiting(memory + kPanelRows * n.padded()), finished(waiting + kLevelStride * kLevels) {}
};

/// Rows of the panel whose part of one group stays in the L1 cache.
struct Slice {
  int first, last;
};

/// One group of a slice against all tokens of a block, where the group completes kLevel waiting sums.
template <int kLevel>
void compute_group(const PanelScratch& panel, const float* x, Length n, int group, int tokens, Slice slice) {
  const int partial = in_last_block(n, group) % kLanes;
  const int64_t blocks = n.whole + in_last_block(n, group) / kLanes;
  for (int row = slice.first; row < slice.last; row += kTileRows) {
    const float* w = panel.weights + row * n.padded() + group * n.blocks * kTileRows * kLanes;
    for (int token = 0; token < tokens; token += kTileTokens) {
      const int width = std::min(kTileTokens, tokens - token);
      const float* xt = x + token * n.padded() + group * n.blocks * width * kLanes;
      const TileSums sums{panel.waiting + ((row - slice.first) * kBlockTokens + token) * kLanes,
                          panel.finished + (row * kBlockTokens + token) * kLanes};
      static_assert(kTileTokens == 4);
      switch (width) {
        case 1:
          compute_tile<1, kLevel>(w, xt, blocks, partial, sums);
          break;
        case 2:
          compute_tile<2, kLevel>(w, xt, blocks, partial, sums);
          break;
        case 3:
          compute_tile<3, kLevel>(w, xt, blocks, partial, sums);
          break;
        default:
          compute_tile<4, kLevel>(w, xt, blocks, partial, sums);
          break;
      }
    }
  }
}

/// All rows of the packed panel against `tokens` (at most kBlockTokens) packed tokens.
void compute_block(const PanelScratch& panel, const float* x, Length n, int tokens, int slice_rows) {
  for (int first = 0; first < kPanelRows; first += slice_rows) {
    const Slice slice{first, std::min(kPanelRows, first + slice_rows)};
    for (int i = 0; i < kGroups; ++i) {
      const int group = group_visited(i);
      static_assert(kLevels <= 4);
      switch (level_of(i)) {
        case 0:
          compute_group<0>(panel, x, n, group, tokens, slice);
          break;
        case 1:
          compute_group<1>(panel, x, n, group, tokens, slice);
          break;
        case 2:
          compute_group<2>(panel, x, n, group, tokens, slice);
          break;
        case 3:
          compute_group<std::min(3, kLevels)>(panel, x, n, group, tokens, slice);
          break;
        default:
          compute_group<kLevels>(panel, x, n, group, tokens, slice);
          break;
      }
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
  pool.run(divide_up(tokens, kTileTokens), [&](int64_t tile, int) {
    const int width = int(std::min<int64_t>(kTileTokens, tokens - tile * kTileTokens));
    pack_tile(x + tile * kTileTokens * n.elements, n, n.elements, width, width,
              packed + tile * kTileTokens * n.padded());
  });

  const int64_t panels = divide_up(out_width, kPanelRows);
  const int64_t ranges = std::clamp<int64_t>(divide_up(pool.threads() * kItemsPerThread, panels), 1,
                                             divide_up(tokens, kSmallestTokenRange));
  const int64_t range_tokens = divide_up(divide_up(tokens, ranges), kBlockTokens) * kBlockTokens;
  const int64_t tile_bytes = kTileRows * n.blocks * kLanes * int64_t(sizeof(float));
  const int slice_rows = kTileRows * int(std::clamp<int64_t>(kSliceBytes / tile_bytes, 1, kPanelRows / kTileRows));

  for (int thread = 0; thread < pool.threads(); ++thread) pool.scratch(thread).floats(PanelScratch::floats(n));
  pool.run(panels * ranges, [&](int64_t item, int thread) {
    const PanelScratch panel(pool.scratch(thread).floats(PanelScratch::floats(n)), n);
    const int64_t first_row = item / ranges * kPanelRows;
    const int rows = int(std::min<int64_t>(kPanelRows, out_width - first_row));
    for (int row = 0; row < kPanelRows; row += kTileRows) {
      const int64_t from = std::min<int64_t>(first_row + row, out_width - 1);
      const int count = int(std::min<int64_t>(kTileRows, out_width - from));
      pack_tile(weight + from * n.elements, n, n.elements, count, kTileRows, panel.weights + row * n.padded());
    }
    const int64_t first = item % ranges * range_tokens, end = std::min(tokens, first + range_tokens);
    for (int64_t token = first; token < end; token += kBlockTokens) {
      const int block = int(std::min<int64_t>(kBlockTokens, end - token));
      compute_block(panel, packed + token * n.padded(), n, block, slice_rows);
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
