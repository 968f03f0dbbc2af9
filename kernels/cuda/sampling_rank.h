#pragma once
/// @file
/// The order of tokens as one integer: the larger the number, the earlier the rank. So "largest, ties to the lowest id"
/// is a maximum of integers, and the candidates of top-k and top-p are all tokens whose rank number reaches a cut.
///
///     bits 24..55  the value, mapped so that larger floats are larger integers; -0 counts as +0
///     bits  0..23  kMaxId - id
#include "kernels/cuda/target.h"
#include "kernels/kernels.h"
#include "kernels/sampling.h"

namespace stagecraft::STAGECRAFT_TARGET {

using Rank = uint64_t;

inline constexpr int kIdBits = 24;
inline constexpr uint32_t kMaxId = (1u << kIdBits) - 1;
inline constexpr int kRankBits = 32 + kIdBits;

/// Reached by every finite value, and not by -infinity.
inline constexpr Rank kFiniteCut = Rank(0x00800000u) << kIdBits;
/// Reached by +infinity and by NaN, which ranks before everything.
inline constexpr Rank kUnusableCut = Rank(0xFF800000u) << kIdBits;

__device__ inline Rank rank_of(float value, TokenId id) {
  const uint32_t bits = bits_of(value + 0.0f);
  constexpr uint32_t kSign = 0x80000000u, kNaN = 0xFFFFFFFFu;
  const uint32_t ordered = value != value ? kNaN : bits & kSign ? ~bits : bits | kSign;
  return Rank(ordered) << kIdBits | (kMaxId - uint32_t(id));
}

__device__ inline TokenId id_of(Rank rank) { return TokenId(kMaxId - uint32_t(rank & kMaxId)); }

}  // namespace stagecraft::STAGECRAFT_TARGET
