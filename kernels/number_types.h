#pragma once
/// @file
/// The number formats of weights and of the KV cache, and how a value changes between them.
///
/// | type | bits: sign, exponent, fraction | as used here                          |
/// |------|--------------------------------|---------------------------------------|
/// | fp32 | 1, 8, 23                       | all activations                       |
/// | bf16 | 1, 8, 7                        | weights; K and V by default           |
/// | fp16 | 1, 5, 10                       | weights; K and V if asked for         |
///
/// Widening is exact. Narrowing rounds to nearest, ties to even, and a value too large becomes infinity (EXACTNESS
/// R10). The bits are handled as integers, so that host, simulator and GPU cannot differ.
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__CUDACC__)
#define STAGECRAFT_HD __host__ __device__
#else
#define STAGECRAFT_HD
#endif

namespace stagecraft {

/// A format that a tensor can be stored in.
enum class NumberType : uint8_t { bf16, fp16, fp32 };

struct bf16 {
  uint16_t bits;
};

struct fp16 {
  uint16_t bits;
};

/// Bytes of one element.
STAGECRAFT_HD constexpr int64_t bytes_of(NumberType type) { return type == NumberType::fp32 ? 4 : 2; }

/// "bf16", "fp16" or "fp32".
constexpr std::string_view name_of(NumberType type) {
  switch (type) {
    case NumberType::bf16:
      return "bf16";
    case NumberType::fp16:
      return "fp16";
    case NumberType::fp32:
      return "fp32";
  }
  return "unknown";
}

STAGECRAFT_HD inline uint32_t bits_of(float value) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(value);
#else
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}

STAGECRAFT_HD inline float float_from_bits(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(bits);
#else
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

STAGECRAFT_HD inline float to_float(float value) { return value; }

STAGECRAFT_HD inline float to_float(bf16 value) { return float_from_bits(uint32_t(value.bits) << 16); }

/// fp16 has subnormals below 2^-14: they are scaled by the exact power of two, not by bit tricks.
STAGECRAFT_HD inline float to_float(fp16 value) {
  const uint32_t sign = uint32_t(value.bits & 0x8000u) << 16;
  const uint32_t magnitude = value.bits & 0x7FFFu;
  if (magnitude >= 0x7C00u) return float_from_bits(sign | 0x7F800000u | (magnitude & 0x3FFu) << 13);
  if (magnitude >= 0x0400u) return float_from_bits(sign | ((magnitude << 13) + (uint32_t(127 - 15) << 23)));
  const float subnormal = float(int(magnitude)) * 0x1p-24f;
  return float_from_bits(sign | bits_of(subnormal));
}

STAGECRAFT_HD inline bf16 round_to_bf16(float value) {
  const uint32_t bits = bits_of(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return {uint16_t(bits >> 16 | 0x40u)};  // a NaN stays a NaN
  return {uint16_t((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16)};
}

STAGECRAFT_HD inline fp16 round_to_fp16(float value) {
  const uint32_t bits = bits_of(value);
  const uint16_t sign = uint16_t(bits >> 16 & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return {uint16_t(sign | 0x7E00u)};
  if (magnitude >= 0x477FF000u) return {uint16_t(sign | 0x7C00u)};  // 65520 and above rounds to infinity
  if (magnitude >= 0x38800000u) {                                   // normal: 2^-14 and above
    const uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1u);
    return {uint16_t(sign | ((rounded - (uint32_t(127 - 15) << 23)) >> 13))};
  }
  // Subnormal: adding 0.5 leaves a unit in the last place of 2^-24, so the addition itself rounds to nearest even.
  const float shifted = float_from_bits(magnitude) + 0.5f;
  return {uint16_t(sign | (bits_of(shifted) - bits_of(0.5f)))};
}

/// `value` in the format T: float, bf16 or fp16.
template <class T>
STAGECRAFT_HD T round_to(float value);
template <>
STAGECRAFT_HD inline float round_to<float>(float value) {
  return value;
}
template <>
STAGECRAFT_HD inline bf16 round_to<bf16>(float value) {
  return round_to_bf16(value);
}
template <>
STAGECRAFT_HD inline fp16 round_to<fp16>(float value) {
  return round_to_fp16(value);
}

/// Calls `use(static_cast<const T*>(data))` with the T that `type` names: where a run-time type becomes a template's.
template <class Use>
decltype(auto) with_elements(NumberType type, const void* data, Use&& use) {
  switch (type) {
    case NumberType::bf16:
      return use(static_cast<const bf16*>(data));
    case NumberType::fp16:
      return use(static_cast<const fp16*>(data));
    default:
      return use(static_cast<const float*>(data));
  }
}

}  // namespace stagecraft
