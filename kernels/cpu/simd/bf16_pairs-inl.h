/// @file
/// The dot product of floats with bf16 weights read two at a time. A 32-bit word of the weights holds an even element in
/// its lower half and an odd one in its upper half; a shift makes a float of the one and a mask of the other, so a load
/// of a whole vector feeds two fused multiply-adds and nothing is unpacked.
///
///     word     [odd | even]     even = word << 16     odd = word & 0xFFFF0000
///
/// Even and odd partial sums live in different vectors. The canonical fold (R1) never mixes them before its last step,
/// p[0] + p[1]: every larger step s is even and adds element j + s to j. So both are folded apart and added at the end.
#if defined(STAGECRAFT_BF16_PAIRS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_BF16_PAIRS_INL_H
#undef STAGECRAFT_BF16_PAIRS_INL_H
#else
#define STAGECRAFT_BF16_PAIRS_INL_H
#endif

#include "kernels/cpu/simd/fold-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// Elements that one vector of words holds, and such vectors in a block of 64.
inline constexpr int kPairElements = 2 * kLanes;
inline constexpr int kPairVectors = kPartialSums / kPairElements;

/// Where bf16 weights can be read in pairs: no block is cut short.
inline bool has_whole_pairs(NumberType type, int64_t n) { return type == NumberType::bf16 && n % kPartialSums == 0; }

/// The even and the odd ones of kPairElements numbers.
inline void split_vector(const float* x, float* even, float* odd) {
  for (int i = 0; i < kLanes; ++i) {
    even[i] = x[2 * i];
    odd[i] = x[2 * i + 1];
  }
}

/// x (n) with the even elements of each run of kPairElements before its odd ones; n is a multiple of 64.
inline void split_pairs(const float* x, int64_t n, float* to) {
  for (int64_t k = 0; k < n; k += kPairElements) split_vector(x + k, to + k, to + k + kLanes);
}

HWY_INLINE WordVec load_pairs(const bf16* from) {
  return hn::BitCast(Words(), hn::LoadU(hn::Repartition<uint16_t, Words>(), &from->bits));
}
HWY_INLINE Vec even_of(WordVec pairs) { return hn::BitCast(Floats(), hn::ShiftLeft<16>(pairs)); }
HWY_INLINE Vec odd_of(WordVec pairs) { return hn::BitCast(Floats(), hn::And(pairs, hn::Set(Words(), 0xFFFF0000u))); }

/// What is left of the partial sums after the steps that add whole vectors: p[2 i] in lane i of `even`, p[2 i + 1] in
/// lane i of `odd`.
struct PairPartials {
  Vec even, odd;
};

/// `split_x` as split_pairs leaves it, aligned to vectors; n is a multiple of 64.
HWY_INLINE PairPartials pair_partials(const float* split_x, const bf16* weight, int64_t n) {
  const Floats d;
  Vec even[kPairVectors], odd[kPairVectors];
  for (int v = 0; v < kPairVectors; ++v) even[v] = odd[v] = hn::Zero(d);
  for (int64_t k = 0; k < n; k += kPartialSums) {
    prefetch_block(weight + k);
    for (int v = 0; v < kPairVectors; ++v) {
      const int64_t at = k + v * kPairElements;
      const WordVec pairs = load_pairs(weight + at);
      keep_loaded();
      even[v] = fma(hn::Load(d, split_x + at), even_of(pairs), even[v]);
      odd[v] = fma(hn::Load(d, split_x + at + kLanes), odd_of(pairs), odd[v]);
    }
  }
  return {fold_vectors<kPairVectors>(even), fold_vectors<kPairVectors>(odd)};
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_BF16_PAIRS_INL_H
