/// @file
/// Names and bits.
#include "stages/plan/precision.h"

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr double kScaleBits = 16;
constexpr double kWeightGroup = 128;  // weights that share a scale

double payload_bits(Precision precision) {
  switch (precision) {
    case Precision::bf16:
      return kFullBits;
    case Precision::fp8:
    case Precision::int8:
      return 8;
    case Precision::int4:
      return 4;
  }
  check(false, "all precisions have a case");
  return 0;
}

}  // namespace

std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::bf16:
      return "bf16";
    case Precision::fp8:
      return "fp8";
    case Precision::int8:
      return "int8";
    case Precision::int4:
      return "int4";
  }
  check(false, "all precisions have a name");
  return "";
}

Precision precision_from(std::string_view option, std::string_view name) {
  for (const Precision precision : {Precision::bf16, Precision::fp8, Precision::int8, Precision::int4}) {
    if (name == name_of(precision)) return precision;
  }
  throw BadInput(fmt::format("{}: '{}' is no precision that plan knows", option, name), "use bf16, fp8, int8 or int4");
}

double weight_bits(Precision precision) {
  return payload_bits(precision) + (precision == Precision::int4 ? kScaleBits / kWeightGroup : 0);
}

double kv_bits(Precision precision, int64_t head_dim) {
  const bool scaled = precision == Precision::int8 || precision == Precision::int4;
  return payload_bits(precision) + (scaled ? kScaleBits / double(head_dim) : 0);
}

}  // namespace stagecraft
