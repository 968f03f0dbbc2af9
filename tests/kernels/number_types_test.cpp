/// @file
/// bf16 and fp16: all 65,536 patterns, their neighbours and the ties between them.
#include "kernels/number_types.h"

#include <cmath>
#include <limits>

#include "tests/catch.h"

using namespace stagecraft;

namespace {

/// What a pattern means, by the definition of the format.
double value_of(uint16_t bits, int fraction_bits, int bias) {
  const int exponent_bits = 15 - fraction_bits, top = (1 << exponent_bits) - 1;
  const int exponent = (bits >> fraction_bits) & top, fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == top) return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

/// Widening is exact, and rounding keeps what is representable, for all patterns; halfway between two neighbours the
/// even one is taken, and next to halfway the nearer one.
template <class T>
void check_all_patterns(T (*round)(float), int fraction_bits, int bias) {
  for (uint32_t pattern = 0; pattern < 0x10000u; ++pattern) {
    const T stored{uint16_t(pattern)};
    const double truth = value_of(stored.bits, fraction_bits, bias);
    const float wide = to_float(stored);
    if (std::isnan(truth)) {
      REQUIRE(std::isnan(wide));
      REQUIRE(std::isnan(to_float(round(wide))));
      continue;
    }
    REQUIRE(double(wide) == truth);
    REQUIRE(std::signbit(wide) == std::signbit(truth));
    REQUIRE(round(wide).bits == stored.bits);

    const T next{uint16_t(pattern + 1)};  // further from zero
    const double neighbour = value_of(next.bits, fraction_bits, bias);
    if (std::isinf(truth) || !std::isfinite(neighbour)) continue;
    const float halfway = float((truth + neighbour) / 2);
    if (double(halfway) != (truth + neighbour) / 2) continue;  // two subnormal bf16: no float lies between
    INFO("between " << wide << " and " << neighbour);
    REQUIRE(round(halfway).bits == (stored.bits % 2 == 0 ? stored.bits : next.bits));
    REQUIRE(round(std::nextafter(halfway, wide)).bits == stored.bits);
    REQUIRE(round(std::nextafter(halfway, float(neighbour))).bits == next.bits);
  }
}

}  // namespace

TEST_CASE("every bf16 pattern, its neighbour and the tie between them") { check_all_patterns(round_to_bf16, 7, 127); }

TEST_CASE("every fp16 pattern, its neighbour and the tie between them") { check_all_patterns(round_to_fp16, 10, 15); }

TEST_CASE("what is too large rounds to infinity, from exactly where it should") {
  CHECK(to_float(round_to_fp16(65519.99f)) == 65504.0f);
  CHECK(std::isinf(to_float(round_to_fp16(65520.0f))));
  CHECK(std::isinf(to_float(round_to_fp16(1e30f))));
  CHECK(to_float(round_to_fp16(-65520.0f)) == -HUGE_VALF);
  const float largest = to_float(bf16{0x7F7F});
  CHECK(to_float(round_to_bf16(std::nextafter(largest, HUGE_VALF))) == largest);
  CHECK(std::isinf(to_float(round_to_bf16(std::numeric_limits<float>::max()))));
}

TEST_CASE("what is too small rounds to zero and keeps its sign") {
  CHECK(round_to_fp16(0x1p-25f).bits == 0);  // a tie: to even
  CHECK(round_to_fp16(std::nextafter(0x1p-25f, 1.0f)).bits == 1);
  CHECK(round_to_fp16(-0x1p-26f).bits == 0x8000);
  CHECK(round_to_bf16(-0.0f).bits == 0x8000);
}

TEST_CASE("a NaN stays a NaN even if its payload lies in the bits that are cut off") {
  CHECK(std::isnan(to_float(round_to_bf16(float_from_bits(0x7F800001u)))));
  CHECK(std::isnan(to_float(round_to_bf16(float_from_bits(0xFFFFFFFFu)))));
  CHECK(std::isnan(to_float(round_to_fp16(float_from_bits(0x7F800001u)))));
}
