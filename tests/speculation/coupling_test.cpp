/// @file
/// Why a draft model draws with the target's noise: how often two samplers agree that share their Gumbel numbers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cpu/plain_kernels.h"
#include "stages/6_speculative_decoding/distribution.h"
#include "stages/core/random_stream.h"
#include "tests/catch.h"

namespace stagecraft {
namespace {

constexpr int kWords = 24;
constexpr int64_t kDraws = 50'000;

/// The share of positions at which the canonical sampler draws the same from both rows of logits.
double agreement(const std::vector<float>& a, const std::vector<float>& b, uint64_t seed_of_b) {
  int64_t same = 0;
  for (int64_t position = 0; position < kDraws; ++position) {
    const TokenId of_a = cpu::plain_sample_row(a.data(), kWords, {1.0f, kNoTopK, 1.0f, 1, position});
    const TokenId of_b = cpu::plain_sample_row(b.data(), kWords, {1.0f, kNoTopK, 1.0f, seed_of_b, position});
    same += of_a == of_b ? 1 : 0;
  }
  return double(same) / double(kDraws);
}

/// The probability that two Gumbel samplers with the same noise agree: over all tokens j, 1 / sum over i of
/// max(p_i / p_j, q_i / q_j), for token j must win both races (Maddison et al. 2014; Daliri et al. 2024).
double coupled_agreement(const Distribution& p, const Distribution& q) {
  double sum = 0.0;
  for (TokenId j = 0; j < kWords; ++j) {
    double rivals = 0.0;
    for (TokenId i = 0; i < kWords; ++i) rivals += std::max(p.of(i) / p.of(j), q.of(i) / q.of(j));
    sum += 1.0 / rivals;
  }
  return sum;
}

TEST_CASE("coupled noise: agreement is what theory says, more than chance, less than rejection sampling's",
          "[coupling]") {
  RandomStream random(21, 2);
  std::vector<float> target, draft;
  for (int i = 0; i < kWords; ++i) {
    target.push_back(1.5f * random.normal());
    draft.push_back(target.back() + 0.7f * random.normal());  // a draft model that knows something
  }
  const SamplingRow how{1.0f, kNoTopK, 1.0f, 0, 0};
  const Distribution p = Distribution::of_logits(target.data(), kWords, how);
  const Distribution q = Distribution::of_logits(draft.data(), kWords, how);
  const double d = total_variation(p, q);
  double by_chance = 0.0;
  for (TokenId id = 0; id < kWords; ++id) by_chance += p.of(id) * q.of(id);

  const double coupled = agreement(target, draft, 1);
  INFO("coupled " << coupled << ", by chance " << by_chance << ", total variation " << d);
  CHECK(std::abs(coupled - coupled_agreement(p, q)) < 0.01);
  CHECK(coupled > (1 - d) / (1 + d));
  CHECK(coupled < 1 - d);
  CHECK(std::abs(agreement(target, draft, 2) - by_chance) < 0.01);  // control: other noise, no coupling
  CHECK(coupled > 2 * by_chance);
}

TEST_CASE("coupled noise: a draft that is the target agrees always, at any temperature", "[coupling]") {
  RandomStream random(22, 2);
  std::vector<float> logits;
  for (int i = 0; i < kWords; ++i) logits.push_back(random.normal());
  CHECK(agreement(logits, logits, 1) == 1.0);
}

}  // namespace
}  // namespace stagecraft
