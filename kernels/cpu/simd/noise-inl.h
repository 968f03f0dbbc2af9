/// @file
/// The sampler's noise on vectors: Philox and the Gumbel transform of kernels/sampling.h, the same bits for kIdsTogether
/// token ids at a time.
#if defined(STAGECRAFT_NOISE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_NOISE_INL_H
#undef STAGECRAFT_NOISE_INL_H
#else
#define STAGECRAFT_NOISE_INL_H
#endif

#include "kernels/cpu/simd/math-inl.h"
#include "kernels/sampling.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// Four random words for kLanes quads of token ids: philox() of sampling.h on vectors.
struct PhiloxVectors {
  WordVec word[4];
};

HWY_INLINE WordVec multiply_high(WordVec a, WordVec b) {
  const Words words;
  const hn::Repartition<uint64_t, Words> wide;
  const auto even = hn::MulEven(a, b);
  const auto odd = hn::MulEven(hn::BitCast(words, hn::ShiftRight<32>(hn::BitCast(wide, a))), b);
  return hn::OddEven(hn::BitCast(words, odd), hn::BitCast(words, hn::ShiftRight<32>(even)));
}

HWY_INLINE PhiloxVectors philox(uint64_t key, PhiloxVectors counter) {
  const Words words;
  const WordVec multiply0 = hn::Set(words, 0xD2511F53u), multiply1 = hn::Set(words, 0xCD9E8D57u);
  uint32_t key0 = uint32_t(key), key1 = uint32_t(key >> 32);
  WordVec(&c)[4] = counter.word;
  for (int round = 0; round < 10; ++round) {
    const WordVec high0 = multiply_high(c[0], multiply0), high1 = multiply_high(c[2], multiply1);
    const WordVec low0 = hn::Mul(c[0], multiply0), low1 = hn::Mul(c[2], multiply1);
    c[0] = hn::Xor(hn::Xor(high1, c[1]), hn::Set(words, key0));
    c[2] = hn::Xor(hn::Xor(high0, c[3]), hn::Set(words, key1));
    c[1] = low1;
    c[3] = low0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// gumbel() of sampling.h.
HWY_INLINE Vec gumbel(WordVec word) {
  const Floats d;
  const Vec steps = hn::ConvertTo(d, hn::BitCast(Integers(), hn::ShiftRight<9>(word)));
  const Vec unit = hn::Mul(hn::Add(steps, hn::Set(d, 0.5f)), hn::Set(d, 0x1p-23f));
  return hn::Neg(log(hn::Neg(log(unit))));
}

/// Token ids that draw their noise together: one quad in each lane.
constexpr int kIdsTogether = 4 * kLanes;

/// The noise of the ids first, first + 1, ... (a multiple of kIdsTogether), in order.
HWY_INLINE void draw_noise(const SamplingRow& how, TokenId first, Vec (&noise)[4]) {
  const Words words;
  // The transposition below works within blocks of four lanes, so the lanes' quads are laid out to come out in order.
  HWY_ALIGN uint32_t quads[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    quads[lane] = uint32_t(first) / 4 + uint32_t(lane % 4 * (kLanes / 4) + lane / 4);
  }
  const uint64_t position = uint64_t(how.position);
  const PhiloxVectors drawn =
      philox(how.seed, {{hn::Load(words, quads), hn::Set(words, uint32_t(position)),
                         hn::Set(words, uint32_t(position >> 32)), hn::Set(words, uint32_t(NoiseStream::token))}});
  const Floats d;
  const hn::Repartition<double, Floats> pairs;
  const Vec a = gumbel(drawn.word[0]), b = gumbel(drawn.word[1]), c = gumbel(drawn.word[2]), e = gumbel(drawn.word[3]);
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b)),
             ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e)),
             ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b)),
             ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  noise[0] = hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low));
  noise[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low));
  noise[2] = hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high));
  noise[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high));
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_NOISE_INL_H
