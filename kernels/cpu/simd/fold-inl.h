/// @file
/// The fixed fold of 64 partial sums (R1) on vectors: p[j] += p[j + s] for s = 32, 16, 8, 4, 2, 1.
///
/// Steps of kLanes and more add whole vectors. The steps below kLanes add lanes of one vector to each other, which
/// wastes most of an instruction's width on a single sum; so kLanes sums go through them together, transposed on the
/// way:
///
///     step 4, 8 lanes    a0 a1 a2 a3 | a4 a5 a6 a7      a0+a4 a1+a5 a2+a6 a3+a7 | b0+b4 b1+b5 b2+b6 b3+b7
///                        b0 b1 b2 b3 | b4 b5 b6 b7
///
/// kLanes - 1 such additions of pairs leave one vector that holds all kLanes sums in order.
#if defined(STAGECRAFT_FOLD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_FOLD_INL_H
#undef STAGECRAFT_FOLD_INL_H
#else
#define STAGECRAFT_FOLD_INL_H
#endif

#include <algorithm>

#include "kernels/cpu/simd/lanes-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// The steps of the fold that add whole vectors, for the first kCount vectors. (A recursion, so that they stay in
/// registers.)
template <int kCount, int kAll>
HWY_INLINE Vec fold_vectors(Vec (&vector)[kAll]) {
  if constexpr (kCount == 1) {
    return vector[0];
  } else {
    for (int v = 0; v < kCount / 2; ++v) vector[v] = hn::Add(vector[v], vector[v + kCount / 2]);
    return fold_vectors<kCount / 2>(vector);
  }
}

/// The steps s >= kLanes. Leaves kLanes partial sums.
HWY_INLINE Vec fold_groups(Vec (&group)[kGroups]) { return fold_vectors<kGroups>(group); }

/// Step 8 of two sums: lanes j + lanes j + 8.
HWY_INLINE Vec fold_halves(Vec a, Vec b) {
  return hn::Add(hn::ConcatLowerLower(Floats(), b, a), hn::ConcatUpperUpper(Floats(), b, a));
}

/// Step 4: adjacent blocks of four lanes.
HWY_INLINE Vec fold_blocks(Vec a, Vec b) {
  const Vec even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
  const Vec odd = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
  return hn::Add(even, odd);
}

/// Step 2: within each block, lanes 0 and 1 + lanes 2 and 3.
HWY_INLINE Vec fold_pairs(Vec a, Vec b) {
  const hn::Repartition<double, Floats> pairs;
  const auto a_pairs = hn::BitCast(pairs, a), b_pairs = hn::BitCast(pairs, b);
  return hn::Add(hn::BitCast(Floats(), hn::InterleaveLower(pairs, a_pairs, b_pairs)),
                 hn::BitCast(Floats(), hn::InterleaveUpper(pairs, a_pairs, b_pairs)));
}

/// Step 1: even lanes + odd lanes.
HWY_INLINE Vec fold_neighbours(Vec a, Vec b) {
  return hn::Add(hn::OddEven(hn::DupEven(b), a), hn::OddEven(b, hn::DupOdd(a)));
}

/// The steps s < kLanes for kLanes sums: lane i of the result is the fold of sum[i], which is overwritten.
HWY_INLINE Vec fold_lanes(Vec (&sum)[kLanes]) {
  if constexpr (kLanes >= 16) {
    for (int i = 0; i < 8; ++i) sum[i] = fold_halves(sum[i], sum[i + kLanes / 2]);
  }
  if constexpr (kLanes >= 8) {
    for (int i = 0; i < 4; ++i) sum[i] = fold_blocks(sum[i], sum[i + 4]);
  }
  for (int i = 0; i < 2; ++i) sum[i] = fold_pairs(sum[i], sum[i + 2]);
  return fold_neighbours(sum[0], sum[1]);
}

/// The steps s < kLanes of one sum.
HWY_INLINE float fold_lanes(Vec sum) {
  HWY_ALIGN float partial[kLanes];
  hn::Store(sum, Floats(), partial);
  for (int step = kLanes / 2; step > 0; step /= 2) {
    for (int j = 0; j < step; ++j) partial[j] += partial[j + step];
  }
  return partial[0];
}

/// Adds the products of the last elements, fewer than 64, to the partial sums.
template <class A, class B>
HWY_NOINLINE void add_rest(const A* a, const B* b, int64_t n, Vec (&group)[kGroups]) {
  for (int g = 0; g < kGroups; ++g) {
    const int count = int(std::clamp<int64_t>(n - g * kLanes, 0, kLanes));
    if (count == 0) return;
    const A* from_a = a + g * kLanes;
    const B* from_b = b + g * kLanes;
    group[g] = count == kLanes ? fma(widen(from_a), widen(from_b), group[g])
                               : fma_some(widen_some(from_a, count), widen_some(from_b, count), group[g], count);
  }
}

/// The kLanes partial sums of dot(a, b) after the steps s >= kLanes. One vector chain a group: enough of them in flight
/// to hide an addition's latency. With kPrefetch `b` is asked for ahead of time: it comes from memory.
template <bool kPrefetch = false, class A, class B>
HWY_INLINE Vec dot_partials(const A* a, const B* b, int64_t n) {
  Vec group[kGroups];
  for (int g = 0; g < kGroups; ++g) group[g] = hn::Zero(Floats());
  const int64_t whole = n / kPartialSums * kPartialSums;
  for (int64_t k = 0; k < whole; k += kPartialSums) {
    if constexpr (kPrefetch) prefetch_block(b + k);
    for (int g = 0; g < kGroups; ++g) group[g] = fma(widen(a + k + g * kLanes), widen(b + k + g * kLanes), group[g]);
  }
  if (HWY_UNLIKELY(whole < n)) {
    Vec in_memory[kGroups];  // a copy, so that `group` itself stays in registers
    for (int g = 0; g < kGroups; ++g) in_memory[g] = group[g];
    add_rest(a + whole, b + whole, n - whole, in_memory);
    return fold_groups(in_memory);
  }
  return fold_groups(group);
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_FOLD_INL_H
