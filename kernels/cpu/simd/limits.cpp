/// @file
/// Loops that do nothing but reach a limit of the machine, one for each target: what a kernel's speed is compared with.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/limits.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/lanes-inl.h"
#include "kernels/cpu/simd/operations-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

/// Chains of additions in flight: enough for any latency, few enough for the registers.
constexpr int kChains = HWY_TARGET == HWY_AVX2 ? 12 : 24;
constexpr int kReadsInFlight = 8;

}  // namespace

uint32_t read_memory(const std::byte* from, int64_t bytes) {
  const Words words;
  WordVec seen[kReadsInFlight];
  for (WordVec& all : seen) all = hn::Zero(words);
  constexpr int64_t kStep = kReadsInFlight * HWY_MAX_BYTES;
  for (int64_t at = 0; at + kStep <= bytes; at += kStep) {
    for (int i = 0; i < kReadsInFlight; ++i) {
      const auto* address = reinterpret_cast<const uint32_t*>(from + at + i * HWY_MAX_BYTES);
      seen[i] = hn::Or(seen[i], hn::LoadU(words, address));
    }
  }
  for (const WordVec& all : seen) seen[0] = hn::Or(seen[0], all);
  return hn::GetLane(seen[0]);
}

float multiply_add(int64_t steps) {
  const Floats d;
  Vec chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = hn::Set(d, float(i));
  const Vec factor = hn::Set(d, 0.999f), summand = hn::Set(d, 0.001f);
  for (int64_t step = 0; step < steps; ++step) {
    for (int i = 0; i < kChains; ++i) chain[i] = fma(chain[i], factor, summand);
  }
  for (const Vec& one : chain) chain[0] = hn::Add(chain[0], one);
  return hn::GetLane(chain[0]);
}

int64_t multiply_add_flops() { return int64_t{2} * kChains * kLanes; }

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
