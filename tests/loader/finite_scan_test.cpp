/// @file
/// Counting NaN and infinity: each format, each place, across the borders of blocks and pieces.
#include "stages/core/model_files/finite_scan.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/catch.h"

using namespace stagecraft;

namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Element>
int64_t count(const std::vector<Element>& values, NumberType type) {
  const std::vector<ScanItem> items{{{values.data(), type}, int64_t(values.size())}};
  return count_nonfinite(items, nullptr).at(0);
}

}  // namespace

TEST_CASE("NaN and infinity of either sign count, the largest finite numbers do not") {
  CHECK(count<float>({kNan, kInfinite, -kInfinite, -kNan}, NumberType::fp32) == 4);
  CHECK(count<float>({3.4e38f, -3.4e38f, 0.0f, -0.0f, 1e-45f}, NumberType::fp32) == 0);
  CHECK(count<bf16>({{0x7F80}, {0xFF80}, {0x7FC0}, {0xFFFF}, {0x7F81}}, NumberType::bf16) == 5);
  CHECK(count<bf16>({{0x7F7F}, {0xFF7F}, {0x0000}, {0x8000}, {0x007F}}, NumberType::bf16) == 0);
  CHECK(count<fp16>({{0x7C00}, {0xFC00}, {0x7E00}, {0xFFFF}, {0x7C01}}, NumberType::fp16) == 5);
  CHECK(count<fp16>({{0x7BFF}, {0xFBFF}, {0x0000}, {0x8000}, {0x03FF}}, NumberType::fp16) == 0);
  CHECK(count<bf16>({{0x7C00}}, NumberType::bf16) == 0);  // infinity as fp16 is an ordinary bf16
}

TEST_CASE("a long tensor full of NaN is counted without overflow of the short counters") {
  const std::vector<bf16> values(5'000'001, bf16{0x7FC0});
  CHECK(count(values, NumberType::bf16) == 5'000'001);
}

TEST_CASE("one NaN is found at any place, and in its own tensor") {
  std::vector<bf16> long_one(3'000'000, bf16{0x3F80});
  const std::vector<float> short_one{1.0f, kNan, 2.0f};
  const std::vector<ScanItem> items{{{long_one.data(), NumberType::bf16}, int64_t(long_one.size())},
                                    {{short_one.data(), NumberType::fp32}, 3},
                                    {{nullptr, NumberType::fp32}, 0}};
  CHECK(count_nonfinite(items, nullptr) == std::vector<int64_t>{0, 1, 0});
  for (const size_t place : {0, 8191, 8192, 2'097'151, 2'097'152, 2'999'999}) {
    long_one[place].bits = 0x7F80;
    INFO("place " << place);
    CHECK(count_nonfinite(items, nullptr) == std::vector<int64_t>{1, 1, 0});
    long_one[place].bits = 0x3F80;
  }
}

TEST_CASE("progress rises to 1, and what it throws ends the scan") {
  const std::vector<float> values(4'000'000, 1.0f);
  const std::vector<ScanItem> items{{{values.data(), NumberType::fp32}, int64_t(values.size())}};
  std::vector<double> shares;
  count_nonfinite(items, [&](double share) { shares.push_back(share); });
  REQUIRE_FALSE(shares.empty());
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.front() > 0.0);
  CHECK(shares.back() == 1.0);
  CHECK_THROWS_AS(count_nonfinite(items, [](double) { throw std::runtime_error("enough"); }), std::runtime_error);
}
