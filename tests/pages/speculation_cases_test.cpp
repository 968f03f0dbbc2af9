/// @file
/// The engine's arithmetic of drafting for the page of speculation.
#include "stages/6_speculative_decoding/acceptance.h"
#include "stages/6_speculative_decoding/break_even.h"
#include "stages/core/cost_model.h"
#include "tests/pages/cases_file.h"

namespace stagecraft::testing {
namespace {

/// v on a machine that computes `free_rows` rows in the time of one reading of the weights: from the cost model.
double verify_cost(int length, int64_t requests, int64_t free_rows) {
  constexpr int64_t kBytes = 1'000'000;
  const CostModel cost{.weight_bytes = free_rows * kBytes, .flop_per_token = kBytes};
  const int64_t rows = length + 1;
  const std::vector<StepPart> verifying(size_t(requests), StepPart{0, rows, 0, rows});
  const std::vector<StepPart> decoding(size_t(requests), StepPart{0, 1, 0, 1});
  return double(cost.step_ns(verifying)) / double(cost.step_ns(decoding));
}

json formula_case(Dice& dice) {
  const double acceptance = dice.one_in(10) ? double(dice.between(0, 1)) : dice.share();
  const int length = int(dice.between(1, 16));
  const double draft = dice.one_in(5) ? 0 : dice.share() / 2;
  const int64_t requests = dice.between(1, 64), free_rows = dice.between(1, 300);
  const StepCost cost{draft, verify_cost(length, requests, free_rows)};
  const auto from = break_even_acceptance(length, cost);
  const BestLength best =
      best_length(acceptance, draft, 16, [&](int k) { return verify_cost(k, requests, free_rows); });
  return {{"acceptance", acceptance},
          {"length", length},
          {"perDraftToken", draft},
          {"requests", requests},
          {"freeRows", free_rows},
          {"verify", cost.verify},
          {"tokensPerCall", tokens_per_call(acceptance, length)},
          {"speedUp", speed_up(acceptance, length, cost)},
          {"breakEven", from ? json(*from) : json()},
          {"bestLength", best.length},
          {"bestSpeedUp", best.speed_up}};
}

json count_case(Dice& dice) {
  AcceptanceCounts counts;
  json calls = json::array();
  for (int64_t i = dice.between(0, 40); i > 0; --i) {
    const int64_t drafted = dice.between(1, 8), accepted = dice.between(0, drafted);
    counts.add(size_t(drafted), size_t(accepted));
    calls.push_back({{"drafted", drafted}, {"accepted", accepted}});
  }
  json by_position = json::array();
  for (const AcceptanceCounts::Position& position : counts.by_position()) {
    by_position.push_back({{"proposed", position.proposed}, {"accepted", position.accepted}});
  }
  return {{"calls", calls},
          {"proposed", counts.proposed()},
          {"accepted", counts.accepted()},
          {"tokensPerCall", counts.tokens_per_call()},
          {"acceptance", counts.acceptance()},
          {"byPosition", by_position}};
}

}  // namespace

TEST_CASE("the engine's arithmetic of drafting is written for the page of speculation") {
  Dice dice(4);
  json formulas = json::array(), counts = json::array();
  for (int i = 0; i < 300; ++i) formulas.push_back(formula_case(dice));
  for (int i = 0; i < 60; ++i) counts.push_back(count_case(dice));
  write_cases("speculation", {{"formulas", formulas}, {"counts", counts}});
}

}  // namespace stagecraft::testing
