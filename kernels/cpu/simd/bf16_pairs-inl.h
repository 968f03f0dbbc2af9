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

#include "kernels/cpu/simd/lanes-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// Elements that one vector of words holds.
inline constexpr int kPairElements = 2 * kLanes;

/// x (n) with the even elements of each run of kPairElements before its odd ones; n is a multiple of 64.
inline void split_pairs(const float* x, int64_t n, float* to) {
  for (int64_t k = 0; k < n; k += kPairElements) {
    for (int i = 0; i < kLanes; ++i) {
      to[k + i] = x[k + 2 * i];
      to[k + kLanes + i] = x[k + 2 * i + 1];
    }
  }
}

/// What is left of the partial sums after the steps that add whole vectors: p[2 i] in lane i of `even`, p[2 i + 1] in
/// lane i of `odd`.
struct PairPartials {
  Vec even, odd;
};

/// `split_x` as split_pairs leaves it, aligned to vectors; n is a multiple of 64.
HWY_INLINE PairPartials pair_partials(const float* split_x, const bf16* weight, int64_t n) {
  constexpr int kVectors = kPartialSums / kPairElements;
  const Floats d;
  const Words words;
  const hn::Repartition<uint16_t, Words> halves;
  const WordVec upper = hn::Set(words, 0xFFFF0000u);
  Vec even[kVectors], odd[kVectors];
  for (int v = 0; v < kVectors; ++v) even[v] = odd[v] = hn::Zero(d);
  for (int64_t k = 0; k < n; k += kPartialSums) {
    prefetch_block(weight + k);
    for (int v = 0; v < kVectors; ++v) {
      const int64_t at = k + v * kPairElements;
      const WordVec pair = hn::BitCast(words, hn::LoadU(halves, &weight[at].bits));
      keep_loaded();
      even[v] = fma(hn::Load(d, split_x + at), hn::BitCast(d, hn::ShiftLeft<16>(pair)), even[v]);
      odd[v] = fma(hn::Load(d, split_x + at + kLanes), hn::BitCast(d, hn::And(pair, upper)), odd[v]);
    }
  }
  for (int step = kVectors / 2; step > 0; step /= 2) {
    for (int v = 0; v < step; ++v) {
      even[v] = hn::Add(even[v], even[v + step]);
      odd[v] = hn::Add(odd[v], odd[v + step]);
    }
  }
  return {even[0], odd[0]};
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_BF16_PAIRS_INL_H
