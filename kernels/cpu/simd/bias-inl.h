/// @file
/// The last step of a linear operation: sums, plus a bias where there is one, to memory.
#if defined(STAGECRAFT_BIAS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_BIAS_INL_H
#undef STAGECRAFT_BIAS_INL_H
#else
#define STAGECRAFT_BIAS_INL_H
#endif

#include <algorithm>

#include "kernels/cpu/simd/lanes-inl.h"
#include "kernels/kernels.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// out[i] = sums[i] + bias[first + i] for the first `count` lanes.
HWY_INLINE void store_with_bias(Vec sums, WeightView bias, int64_t first, int count, float* out) {
  if (bias.data) {
    with_elements(bias.type, bias.data, [&](const auto* b) HWY_ATTR {
      sums = hn::Add(sums, count == kLanes ? widen(b + first) : widen_some(b + first, count));
    });
  }
  if (count == kLanes) return hn::StoreU(sums, Floats(), out);
  HWY_ALIGN float some[kLanes];
  hn::Store(sums, Floats(), some);
  std::copy_n(some, count, out);
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_BIAS_INL_H
