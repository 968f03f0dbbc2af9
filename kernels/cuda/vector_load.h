#pragma once
/// @file
/// Several elements at a time. Eight: one 16-byte load of bf16 or fp16, two of fp32. A warp that loads 16 bytes a lane
/// moves 512 bytes with one instruction, the most there is, and needs a quarter of the instructions that 4-byte loads
/// need.
#include "kernels/cuda/target.h"
#include "kernels/kernels.h"

namespace stagecraft::STAGECRAFT_TARGET {

/// Eight consecutive elements, widened.
struct Eight {
  float v[8];
};

__device__ inline float low_half(bf16, uint32_t pair) { return float_from_bits(pair << 16); }
__device__ inline float high_half(bf16, uint32_t pair) { return float_from_bits(pair & 0xFFFF0000u); }
__device__ inline float low_half(fp16, uint32_t pair) { return to_float(fp16{uint16_t(pair & 0xFFFFu)}); }
__device__ inline float high_half(fp16, uint32_t pair) { return to_float(fp16{uint16_t(pair >> 16)}); }

/// `from` is aligned to 16 bytes. For bf16 and fp16.
template <class T>
__device__ inline Eight load_eight(const T* from) {
  static_assert(sizeof(T) == 2, "eight elements of two bytes fill one 16-byte load");
  const uint4 raw = *reinterpret_cast<const uint4*>(from);
  return {{low_half(T{}, raw.x), high_half(T{}, raw.x), low_half(T{}, raw.y), high_half(T{}, raw.y),
           low_half(T{}, raw.z), high_half(T{}, raw.z), low_half(T{}, raw.w), high_half(T{}, raw.w)}};
}

__device__ inline Eight load_eight(const float* from) {
  const float4 first = reinterpret_cast<const float4*>(from)[0];
  const float4 second = reinterpret_cast<const float4*>(from)[1];
  return {{first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w}};
}

/// `to` is aligned to 16 bytes.
__device__ inline void store_eight(float* to, const Eight& values) {
  const float* v = values.v;
  reinterpret_cast<float4*>(to)[0] = make_float4(v[0], v[1], v[2], v[3]);
  reinterpret_cast<float4*>(to)[1] = make_float4(v[4], v[5], v[6], v[7]);
}

/// Two consecutive elements, one load; `from` is aligned to both together.
__device__ inline float2 load_pair(const float* from) { return *reinterpret_cast<const float2*>(from); }
template <class T>
__device__ inline float2 load_pair(const T* from) {
  const ushort2 raw = *reinterpret_cast<const ushort2*>(from);
  return make_float2(to_float(T{raw.x}), to_float(T{raw.y}));
}

/// Rounds two numbers to the type of `to` and stores them at once.
__device__ inline void store_pair(float* to, float2 pair) { *reinterpret_cast<float2*>(to) = pair; }
template <class T>
__device__ inline void store_pair(T* to, float2 pair) {
  *reinterpret_cast<ushort2*>(to) = make_ushort2(round_to<T>(pair.x).bits, round_to<T>(pair.y).bits);
}

/// The element of a weight whose type is known only when it runs: for vectors that are read once, such as a bias.
__device__ inline float element(const WeightView& weight, int64_t i) {
  switch (weight.type) {
    case NumberType::bf16:
      return to_float(static_cast<const bf16*>(weight.data)[i]);
    case NumberType::fp16:
      return to_float(static_cast<const fp16*>(weight.data)[i]);
    default:
      return static_cast<const float*>(weight.data)[i];
  }
}

}  // namespace stagecraft::STAGECRAFT_TARGET
