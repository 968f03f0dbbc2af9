/// @file
/// Time by arithmetic: the roofline in integers, and a clock that only moves when told to.
#include "stages/core/cost_model.h"

#include <stdexcept>
#include <string>

#include "kernels/check.h"
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

TEST_CASE("each request of a step pays for one row of the head, and each key it sees for attention", "[cost]") {
  const CostModel cost = {
      .flop_per_token = 10, .flop_per_ns = 1, .flop_per_request = 7, .attention_ps = 2000, .key_ps = 500};
  // 3 rows that see 4, 5 and 6 of 6 keys: 30 + 7, 15 pairs of 2 ns, 6 keys of half a nanosecond.
  CHECK(cost.step_ns(parts({{3, 6}})) == 30 + 7 + 30 + 3);
  CHECK(cost.step_ns(parts({{3, 6}, {1, 1}})) == 40 + 14 + 32 + 4);  // 3.5 of keys, rounded up with the pairs
}

TEST_CASE("a step reads the experts that its rows are expected to hit", "[cost]") {
  const ExpertWeights mixtral = {8'000'000, 8, 2};
  CHECK(mixtral.expected_bytes(0) == 0);
  CHECK(mixtral.expected_bytes(1) == 2'000'000);
  CHECK(mixtral.expected_bytes(2) == 3'500'000);
  CHECK(mixtral.expected_bytes(4) == 5'468'750);
  CHECK(mixtral.expected_bytes(8) == 8'000'000 - 800'903);  // 8 million x 0.75^8 = 800,903.3
  CHECK(mixtral.expected_bytes(1'000'000) == 8'000'000);
  const CostModel cost = {.weight_bytes = 1000, .bytes_per_ns = 10, .experts = {4000, 4, 1}};
  CHECK(cost.step_ns(parts({{1, 1}})) == (1000 + 1000) / 10);
  CHECK(cost.step_ns(parts({{1, 1}, {1, 1}})) == (1000 + 1750) / 10);
}

TEST_CASE("measured rates take the place of one rate for all, with straight lines between them", "[cost]") {
  // 1000 FLOP a row: one row at 1 FLOP a nanosecond takes 1000, five at 10 take 500.
  const CostModel cost = {.flop_per_token = 1000, .rates = {{1, 1000}, {5, 10000}, {10, 10000}}};
  CHECK(cost.step_ns(parts({{1, 1}})) == 1000);
  CHECK(cost.step_ns(parts({{5, 5}})) == 500);
  CHECK(cost.step_ns(parts({{3, 3}})) == 750);
  CHECK(cost.step_ns(parts({{10, 10}})) == 1000);
  CHECK(cost.step_ns(parts({{20, 20}})) == 2000);  // the last line goes on
  const CostModel one = {.flop_per_token = 1000, .rates = {{4, 2000}}};
  CHECK(one.step_ns(parts({{2, 2}})) == 1000);
}

TEST_CASE("constants that make no sense are refused by name", "[cost]") {
  const auto refused = [](CostModel cost) {
    try {
      cost.validate();
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({}).empty());
  CHECK(refused({.experts = {1, 2, 3}}).find("experts.count") != std::string::npos);
  CHECK(refused({.attention_ps = -1}).find("attention_ps") != std::string::npos);
  CHECK(refused({.rates = {{2, 1}, {2, 1}}}).find("rates.rows") != std::string::npos);
  CHECK(refused({.rates = {{2, 0}}}).find("rates.flop_per_us") != std::string::npos);
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
