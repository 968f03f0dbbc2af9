#pragma once
/// @file
/// How many bits a stored number takes, scales included.
///
/// | name | weights                                      | keys and values                            |
/// |------|----------------------------------------------|--------------------------------------------|
/// | bf16 | 16                                           | 16                                         |
/// | fp8  | 8: one scale a tensor                        | 8                                          |
/// | int8 | 8: one scale a row of the matrix             | 8 + 16 / head_dim: a scale a head and token |
/// | int4 | 4.125: a 16-bit scale for each group of 128  | 4 + 16 / head_dim                          |
///
/// Only the matrices of the layers are stored this way. The embedding, the head, the router and the norms stay at 16
/// bits, as in most published checkpoints (GPTQ, AWQ).
#include <cstdint>
#include <string_view>

namespace stagecraft {

enum class Precision { bf16, fp8, int8, int4 };

inline constexpr double kBitsPerByte = 8;
inline constexpr double kFullBits = 16;  // of what is never quantised

/// "bf16", "fp8", "int8" or "int4".
std::string_view name_of(Precision precision);

/// The reverse. Throws BadInput that begins with `option` and lists the names.
Precision precision_from(std::string_view option, std::string_view name);

double weight_bits(Precision precision);
double kv_bits(Precision precision, int64_t head_dim);

}  // namespace stagecraft
