/// @file
/// Time by arithmetic: the roofline in integers, and a clock that only moves when told to.
#include "stages/core/cost_model.h"

#include <stdexcept>

#include "stages/core/virtual_clock.h"
#include "tests/catch.h"

namespace stagecraft {
namespace {

std::vector<StepPart> parts(std::initializer_list<std::pair<int64_t, int64_t>> rows_and_lengths) {
  std::vector<StepPart> parts;
  for (const auto& [rows, length] : rows_and_lengths) parts.push_back({0, rows, 0, length});
  return parts;
}

TEST_CASE("step time is the larger of memory and arithmetic, rounded up, plus the overhead", "[cost]") {
  const CostModel cost = {.overhead_ns = 100,
                          .weight_bytes = 1000,
                          .kv_bytes_per_token = 8,
                          .bytes_per_ns = 10,
                          .flop_per_token = 50,
                          .flop_per_ns = 7};
  // One row, 20 keys: (1000 + 160) / 10 = 116 of memory; 50 / 7 -> 8 of arithmetic.
  CHECK(cost.step_ns(parts({{1, 20}})) == 100 + 116);
  // Two rows, 20 + 3 keys: (1000 + 184) / 10 = 118.4 -> 119; the weights are read once.
  CHECK(cost.step_ns(parts({{1, 20}, {1, 3}})) == 100 + 119);
  // 40 rows of a prompt: (1000 + 320) / 10 = 132; 40 x 50 / 7 = 285.7 -> 286.
  CHECK(cost.step_ns(parts({{40, 40}})) == 100 + 286);
}

TEST_CASE("a constant step costs the same whatever is in it", "[cost]") {
  const CostModel cost = CostModel::constant_step(17);
  CHECK(cost.step_ns(parts({{1, 1}})) == 17);
  CHECK(cost.step_ns(parts({{1'000'000, 1'000'000}, {5, 70}})) == 17);
}

TEST_CASE("a step of a large model and a large batch stays within 64 bits", "[cost]") {
  const CostModel cost = {.kv_bytes_per_token = 4'000'000, .bytes_per_ns = 1, .flop_per_token = 140'000'000'000};
  CHECK(cost.step_ns(parts({{1'000'000, 1'000'000}})) == 140'000'000'000'000'000);
}

TEST_CASE("the virtual clock moves only forwards", "[clock]") {
  VirtualClock clock;
  CHECK(clock.now_ns() == 0);
  clock.advance(5);
  clock.wait_until(3);  // has passed already
  CHECK(clock.now_ns() == 5);
  clock.wait_until(9);
  CHECK(clock.now_ns() == 9);
  CHECK(VirtualClock::nanoseconds(clock.now()) == 9);
  CHECK(milliseconds(VirtualClock::at(1'000'000), VirtualClock::at(3'500'000)) == 2.5);
  CHECK_THROWS_AS(clock.advance(-1), std::logic_error);
}

}  // namespace
}  // namespace stagecraft
