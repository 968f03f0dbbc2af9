/// @file
/// out[r][i] = x[r][i] * rms_scale(dot(x[r], x[r])) * weight[i], on vectors. Rows are independent.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/rms_norm.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/fold-inl.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/simd/rows-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

template <class W>
void normalize(const float* x, const W* weight, float* out, int64_t width, float epsilon) {
  const float scale = rms_scale(fold_lanes(dot_partials(x, x, width)), width, epsilon);
  const Vec scales = hn::Set(Floats(), scale);
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    hn::StoreU(hn::Mul(hn::Mul(widen(x + i), scales), widen(weight + i)), Floats(), out + i);
  }
  for (; i < width; ++i) out[i] = x[i] * scale * to_float(weight[i]);
}

}  // namespace

void rms_norm(const float* x, WeightView weight, float* out, int rows, int width, float epsilon, Stream stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    for_rows(stream, rows, width, [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; ++r) normalize(x + r * width, w, out + r * width, width, epsilon);
    });
  });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
