/// @file
/// exact_exp and exact_log of kernels/exact_math.h on vectors: the same operations in the same order, so the same bits.
#if defined(STAGECRAFT_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_MATH_INL_H
#undef STAGECRAFT_MATH_INL_H
#else
#define STAGECRAFT_MATH_INL_H
#endif

#include "kernels/cpu/simd/lanes-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// e^x: see exact_exp.
HWY_INLINE Vec exp(Vec x) {
  const Floats d;
  const Words words;
  const Vec shifted = fma(x, hn::Set(d, 0x1.715476p+0f), hn::Set(d, 0x1.8p23f));
  const Vec n = hn::Sub(shifted, hn::Set(d, 0x1.8p23f));
  Vec r = fma(n, hn::Set(d, -0x1.62e400p-1f), x);
  r = fma(n, hn::Set(d, -0x1.7f7d1cp-20f), r);

  Vec p = hn::Set(d, 1.0f / 5040.0f);
  p = fma(p, r, hn::Set(d, 1.0f / 720.0f));
  p = fma(p, r, hn::Set(d, 1.0f / 120.0f));
  p = fma(p, r, hn::Set(d, 1.0f / 24.0f));
  p = fma(p, r, hn::Set(d, 1.0f / 6.0f));
  p = fma(p, r, hn::Set(d, 0.5f));
  p = fma(p, r, hn::Set(d, 1.0f));
  p = fma(p, r, hn::Set(d, 1.0f));
  const WordVec exponent = hn::ShiftLeft<23>(hn::BitCast(words, shifted));
  Vec result = hn::BitCast(d, hn::Add(hn::BitCast(words, p), exponent));

  result = hn::IfThenElse(hn::Lt(x, hn::Set(d, -87.0f)), hn::Zero(d), result);
  result = hn::IfThenElse(hn::Gt(x, hn::Set(d, 88.0f)), hn::Set(d, kInfinity), result);
  return hn::IfThenElse(hn::Eq(x, x), result, x);
}

/// ln x: see exact_log.
HWY_INLINE Vec log(Vec x) {
  const Floats d;
  const Words words;
  const WordVec sqrt_half = hn::Set(words, 0x3F3504F3u);
  const WordVec bits = hn::Sub(hn::BitCast(words, x), sqrt_half);
  const Vec exponent = hn::ConvertTo(d, hn::ShiftRight<23>(hn::BitCast(Integers(), bits)));
  const Vec m = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(words, 0x007FFFFFu)), sqrt_half));

  const Vec f = hn::Sub(m, hn::Set(d, 1.0f));
  const Vec s = hn::Div(f, hn::Add(m, hn::Set(d, 1.0f)));
  const Vec z = hn::Mul(s, s);
  Vec p = hn::Set(d, 2.0f / 9.0f);
  p = fma(p, z, hn::Set(d, 2.0f / 7.0f));
  p = fma(p, z, hn::Set(d, 2.0f / 5.0f));
  p = fma(p, z, hn::Set(d, 2.0f / 3.0f));
  const Vec tail = fma(exponent, hn::Set(d, 0x1.7f7d1cp-20f), hn::Mul(hn::Mul(p, z), s));
  return fma(exponent, hn::Set(d, 0x1.62e400p-1f), fma(hn::Set(d, 2.0f), s, tail));
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_MATH_INL_H
