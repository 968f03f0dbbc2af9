/// @file
/// One tile of attention on vectors: kAttentionTile keys and values of one KV head, widened once for all queries that
/// read them, and what one query makes of them.
///
///     score[j]  = dot(q, key[j]) * scale          kLanes keys are folded together
///     weight[j] = exp(score[j] - max)             0 in the slots of masked keys, which take part in the sum only
///     values[d] = sum of weight[j] * value[j][d]  one fmaf after the other, by increasing j
#if defined(STAGECRAFT_ATTENTION_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_ATTENTION_TILE_INL_H
#undef STAGECRAFT_ATTENTION_TILE_INL_H
#else
#define STAGECRAFT_ATTENTION_TILE_INL_H
#endif

#include <algorithm>
#include <type_traits>

#include "hwy/cache_control.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/simd/fold-inl.h"
#include "kernels/cpu/simd/math-inl.h"
#include "kernels/kernels.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// Positions [first, last).
struct KeyRange {
  int64_t first, last;
};

/// head_dim rounded up to whole vectors.
inline int64_t padded_dim(int head_dim) { return (int64_t(head_dim) + kLanes - 1) / kLanes * kLanes; }

/// Widened keys and values, (kAttentionTile, padded_dim) each. Rows outside the range last loaded are garbage.
struct KvTile {
  float* keys;
  float* values;

  static int64_t floats(int head_dim) { return 2 * kAttentionTile * padded_dim(head_dim); }
  KvTile(float* memory, int head_dim) : keys(memory), values(memory + kAttentionTile * padded_dim(head_dim)) {}
};

template <class T>
HWY_INLINE void widen_padded(const T* from, int head_dim, float* to) {
  int i = 0;
  for (; i + kLanes <= head_dim; i += kLanes) hn::Store(widen(from + i), Floats(), to + i);
  if (i < head_dim) hn::Store(widen_some(from + i, head_dim - i), Floats(), to + i);
}

template <class T>
HWY_INLINE void prefetch(const T* from, int count) {
  constexpr int kPerLine = int(kAlignment) / int(sizeof(T));
  for (int i = 0; i < count; i += kPerLine) hwy::Prefetch(from + i);
}

/// Keys are loaded in runs of at most so many, and while one run is loaded the next is fetched from memory: one head's keys
/// lie apart from each other, which no hardware prefetcher sees.
inline constexpr int64_t kLongestRun = 16;

/// Slots that are neighbours and hold consecutive positions.
struct SlotRun {
  int64_t first, count;
};

/// The run that begins at `position`; empty at `last`, behind which there may be no block. So an address is asked once a run
/// and not once a key: a run is shorter than kLongestRun only at the end of a block.
template <class Address>
HWY_INLINE SlotRun run_at(const Address& address, int64_t sequence, int64_t position, int64_t last) {
  if (position >= last) return {0, 0};
  const int64_t neighbours = std::min(address.slots_in_a_row(position), last - position);
  return {address.slot(sequence, position), std::min(neighbours, kLongestRun)};
}

/// Loads the stored keys and values at `range`, which lies in the tile that starts at `tile_start`.
template <class T, class Address>
void load_tile(const StoredKv<T, Address>& kv, int64_t sequence, int64_t kv_head, const AttentionShape& shape,
               int64_t tile_start, KeyRange range, const KvTile& tile) {
  const int64_t stride = padded_dim(shape.head_dim), slot_width = int64_t(shape.kv_heads) * shape.head_dim;
  const int64_t head = kv_head * shape.head_dim;
  float* key = tile.keys + (range.first - tile_start) * stride;
  float* value = tile.values + (range.first - tile_start) * stride;
  SlotRun run = run_at(kv.address, sequence, range.first, range.last);
  for (int64_t position = range.first; run.count > 0;) {
    position += run.count;
    const SlotRun next = run_at(kv.address, sequence, position, range.last);
    int64_t at = run.first * slot_width + head;
    int64_t ahead = (next.count > 0 ? next.first : run.first) * slot_width + head;
    for (int64_t i = 0; i < run.count; ++i, at += slot_width, ahead += slot_width, key += stride, value += stride) {
      prefetch(kv.keys + ahead, shape.head_dim);
      prefetch(kv.values + ahead, shape.head_dim);
      widen_padded(kv.keys + at, shape.head_dim, key);
      widen_padded(kv.values + at, shape.head_dim, value);
    }
    run = next;
  }
}

/// A softmax state with its values, as it lies in scratch memory: max and sum in the first vector, values behind it.
/// The caller's scratch need not be aligned to vectors.
struct StoredState {
  float* memory;

  static int64_t floats(int head_dim) { return kLanes + padded_dim(head_dim); }
  SoftmaxState get() const { return {memory[0], memory[1]}; }
  void set(SoftmaxState state) const {
    memory[0] = state.max;
    memory[1] = state.sum;
  }
  float* values() const { return memory + kLanes; }
};

/// `v` in the lanes base, base + 1, ... that lie in [first, last), else `other`.
HWY_INLINE Vec keep_lanes_in(int base, int first, int last, Vec v, Vec other) {
  if (HWY_LIKELY(base >= first && base + kLanes <= last)) return v;
  const Floats d;
  const auto from_first = hn::FirstN(d, size_t(std::clamp(first - base, 0, kLanes)));
  const auto up_to_last = hn::FirstN(d, size_t(std::clamp(last - base, 0, kLanes)));
  return hn::IfThenElse(from_first, other, hn::IfThenElse(up_to_last, v, other));
}

/// A head_dim that is only known at run time.
inline constexpr int kAnyHeadDim = 0;

/// The dot product of one query with keys, kLanes keys at a time. A head_dim known at compile time, at most 64 and a
/// whole number of vectors, lets the query and the partial sums stay in registers.
template <int kHeadDim>
class Scores {
 public:
  Scores(const float* q, int head_dim, float scale) : q_(q), head_dim_(head_dim), scale_(hn::Set(Floats(), scale)) {
    if constexpr (kHeadDim != kAnyHeadDim) {
      for (int g = 0; g < kUsed; ++g) query_[g] = widen(q + g * kLanes);
      keep_loaded();
    }
  }

  /// Scores of the kLanes keys from `keys` on, (kLanes, padded_dim).
  HWY_INLINE Vec operator()(const float* keys) const {
    Vec sums[kLanes];
    for (int i = 0; i < kLanes; ++i) sums[i] = partials(keys + i * padded_dim(head_dim_));
    return hn::Mul(fold_lanes(sums), scale_);
  }

 private:
  static constexpr int kUsed = kHeadDim / kLanes;  // groups of partial sums that get an element; the others stay 0
  static_assert(kHeadDim <= kPartialSums && kHeadDim % kLanes == 0);

  HWY_INLINE Vec partials(const float* key) const {
    if constexpr (kHeadDim == kAnyHeadDim) return dot_partials(q_, key, head_dim_);
    Vec group[kGroups];
    for (int g = 0; g < kUsed; ++g) group[g] = fma(query_[g], hn::Load(Floats(), key + g * kLanes), hn::Zero(Floats()));
    for (int g = kUsed; g < kGroups; ++g) group[g] = hn::Zero(Floats());
    return fold_groups(group);
  }

  Vec query_[kGroups];
  const float* q_;
  int head_dim_;
  Vec scale_;
};

/// The largest lane; NaN lanes do not count.
HWY_INLINE float largest_lane(Vec v) {
  HWY_ALIGN float lanes[kLanes];
  hn::Store(v, Floats(), lanes);
  float largest = -kInfinity;
  for (const float lane : lanes) largest = lane > largest ? lane : largest;
  return largest;
}

/// values[d] = sum over keys [first, last) of weight[j] * value[j][d], kColumns vectors of d at a time.
template <int kColumns>
HWY_INLINE void weigh_columns(const float* weight, const float* value, int64_t stride, int first, int last, float* to) {
  const Floats d;
  Vec acc[kColumns];
  for (int c = 0; c < kColumns; ++c) acc[c] = hn::Zero(d);
  for (int j = first; j < last; ++j) {
    const Vec w = hn::Set(d, weight[j]);
    for (int c = 0; c < kColumns; ++c) acc[c] = fma(w, hn::Load(d, value + j * stride + c * kLanes), acc[c]);
  }
  for (int c = 0; c < kColumns; ++c) hn::StoreU(acc[c], d, to + c * kLanes);
}

/// All columns: so many at a time as there are, for each is a chain of additions that has to wait for itself.
HWY_INLINE void weigh_values(const float* weight, const float* value, int64_t dim, int first, int last, float* to) {
  int64_t column = 0;
  const auto weigh = [&]<int kColumns>(std::integral_constant<int, kColumns>) HWY_ATTR {
    for (; column + kColumns * kLanes <= dim; column += kColumns * kLanes) {
      weigh_columns<kColumns>(weight, value + column, dim, first, last, to + column);
    }
  };
  weigh(std::integral_constant<int, 8>());
  weigh(std::integral_constant<int, 4>());
  weigh(std::integral_constant<int, 2>());
  weigh(std::integral_constant<int, 1>());
}

/// The weights of keys [first, last) of the tile, which is not empty, for one query; and what of its state they make.
template <int kHeadDim>
SoftmaxState weigh_keys_of(const float* q, const KvTile& tile, const AttentionShape& shape, int first, int last,
                           float* weights) {
  const Floats d;
  const int head_dim = kHeadDim == kAnyHeadDim ? shape.head_dim : kHeadDim;
  const int64_t dim = padded_dim(head_dim);
  const Vec none = hn::Set(d, -kInfinity);
  const Scores<kHeadDim> score_keys(q, head_dim, shape.scale);
  Vec largest = none;
  for (int base = first / kLanes * kLanes; base < last; base += kLanes) {
    const Vec score = score_keys(tile.keys + base * dim);
    const Vec seen = keep_lanes_in(base, first, last, score, none);
    largest = hn::IfThenElse(hn::Gt(seen, largest), seen, largest);
    hn::Store(score, d, weights + base);
  }
  SoftmaxState state;
  state.max = largest_lane(largest);

  Vec group[kGroups];
  for (int g = 0; g < kGroups; ++g) {
    const int base = g * kLanes;
    group[g] = hn::Zero(d);
    if (base + kLanes <= first || base >= last) continue;
    const Vec weight = exp(hn::Sub(hn::Load(d, weights + base), hn::Set(d, state.max)));
    group[g] = keep_lanes_in(base, first, last, weight, hn::Zero(d));
    hn::Store(group[g], d, weights + base);
  }
  state.sum = fold_lanes(fold_groups(group));
  return state;
}

/// The same for whatever head_dim; the two that are common in models have a version of their own.
inline SoftmaxState weigh_keys(const float* q, const KvTile& tile, const AttentionShape& shape, int first, int last,
                               float* weights) {
  switch (shape.head_dim) {
    case 64:
      return weigh_keys_of<64>(q, tile, shape, first, last, weights);
    case 32:
      return weigh_keys_of<32>(q, tile, shape, first, last, weights);
    default:
      return weigh_keys_of<kAnyHeadDim>(q, tile, shape, first, last, weights);
  }
}

/// Merges a later tile's values into the earlier ones.
HWY_INLINE void merge_values(float* earlier, const float* later, MergeWeights weights, int64_t dim) {
  const Floats d;
  const Vec earlier_weight = hn::Set(d, weights.earlier), later_weight = hn::Set(d, weights.later);
  for (int64_t i = 0; i < dim; i += kLanes) {
    const Vec scaled = hn::Mul(widen(later + i), later_weight);
    hn::StoreU(fma(widen(earlier + i), earlier_weight, scaled), d, earlier + i);
  }
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_ATTENTION_TILE_INL_H
