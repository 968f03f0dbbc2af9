/// @file
/// The kernels that stage 3 adds, beside those of stage 2 request by request: linear, whose weights are read once for
/// all rows, and attention of one row for each of several requests.
#include "tests/kernels/kernel_cases.h"
#include "tests/stages/test_devices.h"

using namespace stagecraft;
using namespace stagecraft::testing;

TEST_CASE("stage 3 batched linear: each row is what it is alone", "[stages][kernels]") {
  on_each_device([](Device& device) {
    for (const NumberType type : kNumberTypes) {
      for (const int rows : kRowCounts) {
        INFO(name_of(type) << ", " << rows << " rows");
        CHECK(row_difference(device, linear_case(type, rows, 96, 40, rows % 2 == 0)) == "");
      }
    }
  });
}

TEST_CASE("stage 3 batched attention: each request is what it is alone", "[stages][kernels]") {
  on_each_device([](Device& device) {
    const AttentionShape shape{6, 2, 32, kNoWindow, 1.0f / std::sqrt(32.0f)};
    for (const NumberType type : kNumberTypes) {
      const AttentionInput batch =
          attention_case(type, shape, {{1, 1}, {63, 1}, {64, 1}, {65, 1}, {7, 1}, {150, 1}, {2, 1}, {128, 1}});
      INFO(name_of(type));
      CHECK(row_difference(device, batch) == "");
    }
  });
}
