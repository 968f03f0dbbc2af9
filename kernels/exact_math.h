#pragma once
/// @file
/// The arithmetic that every device must reproduce bit for bit: the contract's own text (EXACTNESS R1 to R3, R10).
///
/// One text for host, simulator and GPU. Only IEEE operations occur: + - * / sqrt, fmaf, conversions; never a library
/// exp or log, whose last bit differs from one platform to the next.
#include <cmath>
#include <cstdint>

#include "kernels/number_types.h"

namespace stagecraft {

/// How many partial sums a dot product keeps (R1). 64 suits 8 GPU lanes with 16-byte loads of bf16 and any SIMD width.
inline constexpr int kPartialSums = 64;

/// Keys that one softmax state covers before it is merged into the running one (R3). Tiles start at position 0.
inline constexpr int kAttentionTile = 64;

inline constexpr float kInfinity = __builtin_huge_valf();

/// The fixed fold of the partial sums: p[j] += p[j + s] for s = 32, 16, ..., 1. Leaves the sum in p[0] and returns it.
STAGECRAFT_HD inline float exact_fold(float (&partial)[kPartialSums]) {
  for (int step = kPartialSums / 2; step > 0; step /= 2) {
    for (int j = 0; j < step; ++j) partial[j] += partial[j + step];
  }
  return partial[0];
}

/// sum of a[k] * b[k]: element k goes to partial k mod 64 in increasing k, one fmaf each, then the fold.
template <class A, class B>
STAGECRAFT_HD float exact_dot(const A* a,  // (n)
                              const B* b,  // (n)
                              int64_t n) {
  float partial[kPartialSums] = {};
  for (int64_t k = 0; k < n; ++k) {
    float& p = partial[k % kPartialSums];
    p = fmaf(to_float(a[k]), to_float(b[k]), p);
  }
  return exact_fold(partial);
}

/// e^x. Below -87 it is 0 and above 88 infinity, so that no intermediate leaves the normal range.
///
/// x = n ln 2 + r with |r| <= ln 2 / 2; e^r by its Taylor series to r^7 (remainder 5e-9), then n is added to the
/// exponent. Error: below 1.5 units in the last place over the whole range (tests/kernels/exact_math_test.cpp).
STAGECRAFT_HD inline float exact_exp(float x) {
  constexpr float kLog2E = 0x1.715476p+0f;
  constexpr float kLn2High = 0x1.62e400p-1f;  // few enough bits that n * kLn2High is exact
  constexpr float kLn2Low = 0x1.7f7d1cp-20f;
  constexpr float kRounder = 0x1.8p23f;  // adding it leaves the nearest integer in the low bits

  if (x < -87.0f) return 0.0f;
  if (x > 88.0f) return kInfinity;
  if (x != x) return x;

  const float shifted = fmaf(x, kLog2E, kRounder);
  const float n = shifted - kRounder;
  float r = fmaf(n, -kLn2High, x);
  r = fmaf(n, -kLn2Low, r);

  float p = 1.0f / 5040.0f;
  p = fmaf(p, r, 1.0f / 720.0f);
  p = fmaf(p, r, 1.0f / 120.0f);
  p = fmaf(p, r, 1.0f / 24.0f);
  p = fmaf(p, r, 1.0f / 6.0f);
  p = fmaf(p, r, 0.5f);
  p = fmaf(p, r, 1.0f);
  p = fmaf(p, r, 1.0f);
  return float_from_bits(bits_of(p) + (bits_of(shifted) << 23));
}

/// ln x for a normal, positive, finite x (the sampler asks for nothing else).
///
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh(s), s = (m - 1) / (m + 1), as a series to s^9.
STAGECRAFT_HD inline float exact_log(float x) {
  constexpr float kLn2High = 0x1.62e400p-1f;
  constexpr float kLn2Low = 0x1.7f7d1cp-20f;
  constexpr uint32_t kSqrtHalf = 0x3F3504F3u;  // the bits of sqrt(1/2)

  const uint32_t bits = bits_of(x) - kSqrtHalf;
  const float exponent = float(int32_t(bits) >> 23);
  const float m = float_from_bits((bits & 0x007FFFFFu) + kSqrtHalf);

  const float f = m - 1.0f;
  const float s = f / (m + 1.0f);
  const float z = s * s;
  float p = 2.0f / 9.0f;
  p = fmaf(p, z, 2.0f / 7.0f);
  p = fmaf(p, z, 2.0f / 5.0f);
  p = fmaf(p, z, 2.0f / 3.0f);
  const float tail = fmaf(exponent, kLn2Low, p * z * s);
  return fmaf(exponent, kLn2High, fmaf(2.0f, s, tail));
}

/// x / (1 + e^-x), the gate of SwiGLU (Shazeer 2020, arXiv 2002.05202).
STAGECRAFT_HD inline float exact_silu(float x) { return x / (1.0f + exact_exp(-x)); }

/// What a row's RMSNorm multiplies by, from the canonical sum of squares. Not rsqrtf: its last bit is the hardware's
/// (R10).
STAGECRAFT_HD inline float rms_scale(float sum_of_squares, int64_t width, float epsilon) {
  return 1.0f / sqrtf(sum_of_squares / float(width) + epsilon);
}

/// One rotated pair of RoPE (Su et al. 2021, arXiv 2104.09864): `left` is element i, `right` element i + head_dim / 2.
struct RotatedPair {
  float left, right;
};

STAGECRAFT_HD inline RotatedPair rotate(float left, float right, float cosine, float sine) {
  return {fmaf(left, cosine, -(right * sine)), fmaf(right, cosine, left * sine)};
}

/// The part of a softmax that can be merged: max of the scores, and the sum of e^(score - max). The weighted values
/// that go with it (head_dim numbers, scaled by the same e^-max) are merged with the weights that merge_weights
/// returns. Empty: max is -infinity. Online softmax: Milakov and Gimelshein 2018, arXiv 1805.02867.
struct SoftmaxState {
  float max = -kInfinity;
  float sum = 0.0f;
};

/// What the two sides of a merge are multiplied by.
struct MergeWeights {
  float earlier, later;
};

/// Merges `later` into `earlier`, which must not be empty unless `later` is a row's first tile with a visible key; the
/// caller then copies instead of merging. Values follow by fmaf(earlier_value, earlier, later_value * later).
STAGECRAFT_HD inline MergeWeights merge(SoftmaxState& earlier, SoftmaxState later) {
  const float max = later.max > earlier.max ? later.max : earlier.max;
  const MergeWeights weights{exact_exp(earlier.max - max), exact_exp(later.max - max)};
  earlier.sum = fmaf(earlier.sum, weights.earlier, later.sum * weights.later);
  earlier.max = max;
  return weights;
}

}  // namespace stagecraft
