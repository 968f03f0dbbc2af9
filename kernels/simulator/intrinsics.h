#pragma once
/// @file
/// Device functions without memory or other threads: bits of a float, bit counts, min and max, cached loads.
///
/// The fast approximations of a GPU (__expf, rsqrtf) are exact here: their last bits are the hardware's own, so code
/// whose bits matter avoids them (EXACTNESS R10).
#include "kernels/simulator/keywords.h"

SIMT_INLINE unsigned __float_as_uint(float value) { return __builtin_bit_cast(unsigned, value); }
SIMT_INLINE float __uint_as_float(unsigned bits) { return __builtin_bit_cast(float, bits); }
SIMT_INLINE int __float_as_int(float value) { return __builtin_bit_cast(int, value); }
SIMT_INLINE float __int_as_float(int bits) { return __builtin_bit_cast(float, bits); }

SIMT_INLINE int __popc(unsigned bits) { return __builtin_popcount(bits); }
SIMT_INLINE int __ffs(int bits) { return __builtin_ffs(bits); }
SIMT_INLINE int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits)); }
SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(uint64_t(a) * b >> 32); }
SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using Product = unsigned __int128;
  return static_cast<unsigned long long>(Product(a) * b >> 64);
}

SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
SIMT_INLINE float __fadd_rn(float a, float b) { return a + b; }
SIMT_INLINE float __fmul_rn(float a, float b) { return a * b; }
SIMT_INLINE float __fdiv_rn(float a, float b) { return a / b; }
SIMT_INLINE float __fsqrt_rn(float a) { return ::sqrtf(a); }
SIMT_INLINE float __frcp_rn(float a) { return 1.0f / a; }
SIMT_INLINE float __fdividef(float a, float b) { return a / b; }
SIMT_INLINE float __expf(float x) { return ::expf(x); }
SIMT_INLINE float __logf(float x) { return ::logf(x); }
SIMT_INLINE float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }

SIMT_INLINE int min(int a, int b) { return a < b ? a : b; }
SIMT_INLINE int max(int a, int b) { return a > b ? a : b; }
SIMT_INLINE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
SIMT_INLINE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
SIMT_INLINE long long min(long long a, long long b) { return a < b ? a : b; }
SIMT_INLINE long long max(long long a, long long b) { return a > b ? a : b; }
SIMT_INLINE float min(float a, float b) { return ::fminf(a, b); }
SIMT_INLINE float max(float a, float b) { return ::fmaxf(a, b); }

/// Loads with a hint for a cache that the simulator does not have.
template <class T>
SIMT_INLINE T __ldg(const T* address) {
  return *address;
}
template <class T>
SIMT_INLINE T __ldcs(const T* address) {
  return *address;
}
template <class T>
SIMT_INLINE T __ldcg(const T* address) {
  return *address;
}
template <class T>
SIMT_INLINE void __stcs(T* address, T value) {
  *address = value;
}
