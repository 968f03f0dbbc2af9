/// @file
/// The arithmetic of speculation against sums, against published figures, and at its ends.
#include "stages/6_speculative_decoding/break_even.h"

#include <cmath>

#include "tests/catch.h"

namespace stagecraft {
namespace {

const auto free_verification = [](int) { return 1.0; };

TEST_CASE("tokens a call: the geometric sum", "[break_even]") {
  for (const double a : {0.0, 0.1, 0.5, 0.8, 0.999}) {
    double sum = 0, power = 1;
    for (int k = 0; k <= 12; ++k, power *= a) {
      sum += power;
      CHECK(std::abs(tokens_per_call(a, k) - sum) < 1e-9);
    }
  }
  CHECK(tokens_per_call(1.0, 7) == 8);  // draft = target: k + 1 tokens a call
}

TEST_CASE("reference: acceptance .8, draft cost .05: x3.1 at best, with drafts of 8", "[break_even]") {
  const BestLength best = best_length(0.8, 0.05, 64, free_verification);
  CHECK(best.length == 8);
  CHECK(std::abs(best.speed_up - 3.09) < 0.005);
}

TEST_CASE("reference: the best factors of other acceptances and costs", "[break_even]") {
  struct Case {
    double acceptance, cost, factor;
    int length;
  };
  for (const Case& c :
       {Case{.6, .05, 1.92, 4}, Case{.9, .05, 4.67, 13}, Case{.6, .1, 1.67, 3}, Case{.8, .2, 1.87, 4}}) {
    const BestLength best = best_length(c.acceptance, c.cost, 64, free_verification);
    CHECK(best.length == c.length);
    CHECK(std::abs(best.speed_up - c.factor) < 0.006);
  }
}

TEST_CASE("a draft as dear as the target never pays; not drafting is best", "[break_even]") {
  const BestLength best = best_length(0.9, 1.0, 16, free_verification);
  CHECK(best.length == 0);
  CHECK(best.speed_up == 1);
}

TEST_CASE("large batch: where verifying k + 1 rows costs k + 1 times as much, even a free oracle gains nothing",
          "[break_even]") {
  const auto bound_by_arithmetic = [](int k) { return k + 1.0; };
  CHECK(best_length(1.0, 0.0, 16, bound_by_arithmetic).length == 0);
  CHECK(speed_up(1.0, 4, {0.0, bound_by_arithmetic(4)}) == 1);
  CHECK(speed_up(0.8, 4, {0.0, bound_by_arithmetic(4)}) < 0.7);
  CHECK_FALSE(break_even_acceptance(4, {0.01, bound_by_arithmetic(4)}));
}

TEST_CASE("break-even: at that acceptance the factor is 1, below it less", "[break_even]") {
  for (const StepCost cost : {StepCost{0.05, 1.0}, StepCost{0.2, 1.5}, StepCost{0.5, 1.1}}) {
    for (const int k : {1, 2, 4, 8}) {
      const std::optional<double> a = break_even_acceptance(k, cost);
      if (cost.of(k) > k + 1) {
        CHECK_FALSE(a);
        continue;
      }
      REQUIRE(a);
      CHECK(std::abs(speed_up(*a, k, cost) - 1.0) < 1e-9);
      CHECK(speed_up(*a * 0.99, k, cost) < 1.0);
    }
  }
  CHECK(std::abs(*break_even_acceptance(1, {0.3, 1.0}) - 0.3) < 1e-9);  // 1 + a tokens for 1 + c
}

TEST_CASE("break-even of what costs nothing is 0", "[break_even]") {
  CHECK(break_even_acceptance(4, {0.0, 1.0}) == 0.0);
}

}  // namespace
}  // namespace stagecraft
