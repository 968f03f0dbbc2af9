/// @file
/// One table of operations for each target, and which of them run on this machine.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/simd_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/cpu/integer_operations.h"
#include "kernels/cpu/simd/operations-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

/// One row only streams the weights past, a few share them where they lie; for more they are packed once.
void linear(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width,
            Stream stream) {
  if (rows == 1) {
    linear_gemv(x, weight, bias, out, in, out_width, stream);
  } else if (suits_linear_few(weight.type, rows, in)) {
    linear_few(x, weight, bias, out, rows, in, out_width, stream);
  } else {
    linear_gemm(x, weight, bias, out, rows, in, out_width, stream);
  }
}

}  // namespace

SimdTarget simd_target(std::string_view name, bool runs_here) {
  static constexpr Kernels table{embedding,         rms_norm, linear, rope,        kv_write, copy_blocks, attention,
                                 attention_scratch, swiglu,   add,    gather_rows, sample,   verify};
  return {name, &table, {read_memory, multiply_add, multiply_add_flops()}, runs_here};
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET

#if HWY_ONCE
namespace stagecraft::cpu {

std::vector<SimdTarget> simd_targets() {
  const int64_t supported = int64_t(hwy::SupportedTargets());
  std::vector<SimdTarget> targets;
#if HWY_TARGETS & HWY_AVX3
  targets.push_back(N_AVX3::simd_target("AVX3", (supported & HWY_AVX3) != 0));
#endif
#if HWY_TARGETS & HWY_AVX2
  targets.push_back(N_AVX2::simd_target("AVX2", (supported & HWY_AVX2) != 0));
#endif
#if defined(__aarch64__) && (HWY_TARGETS & HWY_NEON)
  targets.push_back(N_NEON::simd_target("NEON", (supported & HWY_NEON) != 0));
#endif
#if defined(__aarch64__) && defined(HWY_NEON_WITHOUT_AES) && (HWY_TARGETS & HWY_NEON_WITHOUT_AES)
  targets.push_back(N_NEON_WITHOUT_AES::simd_target("NEON_WITHOUT_AES", (supported & HWY_NEON_WITHOUT_AES) != 0));
#endif
  return targets;
}

}  // namespace stagecraft::cpu
#endif  // HWY_ONCE
