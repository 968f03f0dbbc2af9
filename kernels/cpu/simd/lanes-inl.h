/// @file
/// Vectors of floats, and how stored numbers become them. Included once for each target (see targets.h).
///
/// The 64 partial sums of a dot product are kGroups vectors of kLanes floats: element k of a block of 64 belongs to
/// lane k mod kLanes of group k / kLanes. Vectors are loaded in memory order, so nothing is ever shuffled on the way
/// in.
#if defined(STAGECRAFT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_LANES_INL_H
#undef STAGECRAFT_LANES_INL_H
#else
#define STAGECRAFT_LANES_INL_H
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/targets.h"
#include "kernels/exact_math.h"
#include "kernels/number_types.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Words = hn::Rebind<uint32_t, Floats>;
using Integers = hn::Rebind<int32_t, Floats>;
using HalfWords = hn::Rebind<uint16_t, Floats>;
using Vec = decltype(hn::Zero(Floats()));
using WordVec = decltype(hn::Zero(Words()));

inline constexpr int kLanes = HWY_MAX_BYTES / int(sizeof(float));
inline constexpr int kGroups = kPartialSums / kLanes;

/// kLanes stored numbers as floats. Widening is exact; so are the steps taken for fp16, whose subnormals are brought up
/// by a power of two.
HWY_INLINE Vec widen(const float* from) { return hn::LoadU(Floats(), from); }

HWY_INLINE Vec widen(const bf16* from) {
  const WordVec words = hn::PromoteTo(Words(), hn::LoadU(HalfWords(), &from->bits));
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(words));
}

HWY_INLINE Vec widen(const fp16* from) {
  const Words words;
  const WordVec half = hn::PromoteTo(words, hn::LoadU(HalfWords(), &from->bits));
  const WordVec magnitude = hn::ShiftLeft<13>(hn::And(half, hn::Set(words, 0x7FFFu)));
  const WordVec sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(words, 0x8000u)));
  const Vec scaled = hn::Mul(hn::BitCast(Floats(), magnitude), hn::Set(Floats(), 0x1p112f));
  const WordVec special = hn::Or(magnitude, hn::Set(words, 0x7F800000u));  // infinity and NaN
  const auto is_special = hn::Gt(hn::BitCast(Integers(), magnitude), hn::Set(Integers(), 0x0F7FFFFF));
  const WordVec value = hn::IfThenElse(hn::RebindMask(words, is_special), special, hn::BitCast(words, scaled));
  return hn::BitCast(Floats(), hn::Or(value, sign));
}

/// The first `count` numbers, with zeros after them: reads nothing beyond.
template <class T>
HWY_INLINE Vec widen_some(const T* from, int count) {
  HWY_ALIGN float padded[kLanes] = {};
  for (int i = 0; i < count; ++i) padded[i] = to_float(from[i]);
  return hn::Load(Floats(), padded);
}

/// Rounds kLanes floats to the stored format: the vector form of round_to.
HWY_INLINE void narrow(Vec value, float* to) { hn::StoreU(value, Floats(), to); }

HWY_INLINE void narrow(Vec value, bf16* to) {
  const Words words;
  const WordVec bits = hn::BitCast(words, value);
  const WordVec high = hn::ShiftRight<16>(bits);
  const WordVec odd = hn::And(high, hn::Set(words, 1u));
  const WordVec rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(words, 0x7FFFu))));
  const auto is_number = hn::RebindMask(words, hn::Eq(value, value));
  const WordVec result = hn::IfThenElse(is_number, rounded, hn::Or(high, hn::Set(words, 0x40u)));
  hn::StoreU(hn::DemoteTo(HalfWords(), hn::BitCast(Integers(), result)), HalfWords(), &to->bits);
}

HWY_INLINE void narrow(Vec value, fp16* to) {
  HWY_ALIGN float values[kLanes];
  hn::Store(value, Floats(), values);
  for (int i = 0; i < kLanes; ++i) to[i] = round_to_fp16(values[i]);
}

/// Asks for `bytes` that lie kBytesAhead behind `from`, on its way through memory. Processors look ahead themselves, but
/// not across a page of 4 KiB; with this a core reads weights a sixth faster (Zen 3). Farther is not better: SmolLM2
/// decodes 57 tokens a second on one thread with 1 KiB, 48 with 2 KiB, 46 with 3 KiB.
HWY_INLINE void prefetch_bytes(const void* from, int64_t bytes) {
  constexpr int64_t kBytesAhead = 1024, kLine = 64;
  const auto* ahead = static_cast<const unsigned char*>(from) + kBytesAhead;
  for (int64_t at = 0; at < bytes; at += kLine) hwy::Prefetch(ahead + at);
}

/// The same for a block of 64 numbers.
template <class T>
HWY_INLINE void prefetch_block(const T* from) {
  prefetch_bytes(from, kPartialSums * int64_t(sizeof(T)));
}

/// Keeps what was loaded in registers. Without it g++ reads a vector that is used twice from memory twice, and loads
/// become the limit of a loop. (Not std::atomic_signal_fence: g++ takes that for a call, and does not unroll loops with it.)
HWY_INLINE void keep_loaded() { asm volatile("" ::: "memory"); }

/// a * b + c with one rounding.
HWY_INLINE Vec fma(Vec a, Vec b, Vec c) { return hn::MulAdd(a, b, c); }

/// fma in the first `count` lanes; the others keep c. Adding a product of zeros instead could turn -0 into +0 (R5).
HWY_INLINE Vec fma_some(Vec a, Vec b, Vec c, int count) {
  return hn::IfThenElse(hn::FirstN(Floats(), size_t(count)), hn::MulAdd(a, b, c), c);
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_LANES_INL_H
