/// @file
/// Distributions written out, against the sampler that they describe.
#include "stages/6_speculative_decoding/distribution.h"

#include <cmath>
#include <limits>

#include "kernels/cpu/plain_kernels.h"
#include "stages/core/random_stream.h"
#include "tests/catch.h"

namespace stagecraft {
namespace {

std::vector<float> random_logits(int vocabulary, uint64_t seed) {
  RandomStream random(seed, 5);
  std::vector<float> logits;
  for (int i = 0; i < vocabulary; ++i) logits.push_back(2.0f * random.normal());
  return logits;
}

/// How often each id comes when the canonical sampler draws `draws` times at different positions.
Distribution sampled(const std::vector<float>& logits, SamplingRow how, int64_t draws) {
  std::vector<Distribution::Part> counts;
  for (size_t id = 0; id < logits.size(); ++id) counts.push_back({TokenId(id), 0.0});
  for (how.position = 0; how.position < draws; ++how.position) {
    ++counts[size_t(cpu::plain_sample_row(logits.data(), int(logits.size()), how))].probability;
  }
  return Distribution::proportional_to(counts);
}

TEST_CASE("the canonical sampler draws from what is written out: temperature, top-k, top-p", "[distribution]") {
  const std::vector<float> logits = random_logits(12, 1);
  constexpr int64_t kDraws = 200'000;
  for (const SamplingRow how : {SamplingRow{1.0f, kNoTopK, 1.0f, 4, 0}, SamplingRow{0.6f, 5, 1.0f, 4, 0},
                                SamplingRow{1.5f, kNoTopK, 0.7f, 4, 0}, SamplingRow{1.0f, 6, 0.8f, 4, 0}}) {
    const Distribution written = Distribution::of_logits(logits.data(), 12, how);
    const double distance = total_variation(written, sampled(logits, how, kDraws));
    INFO("total variation " << distance << ", " << written.parts().size() << " candidates");
    CHECK(distance < 4e-3);
    SamplingRow other = how;
    other.temperature *= 1.1f;  // the comparison can fail
    CHECK(total_variation(Distribution::of_logits(logits.data(), 12, other), written) > 4e-3);
  }
}

TEST_CASE("temperature 0, top-k 1 and a tiny top-p leave the largest logit alone", "[distribution]") {
  const std::vector<float> logits{0.5f, 2.0f, 2.0f, -1.0f};
  for (const SamplingRow how : {SamplingRow{0.0f, kNoTopK, 1.0f, 0, 0}, SamplingRow{1.0f, 1, 1.0f, 0, 0},
                                SamplingRow{1.0f, kNoTopK, 1e-9f, 0, 0}}) {
    CHECK(Distribution::of_logits(logits.data(), 4, how).of(1) == 1.0);  // of equal ones the lowest id
  }
}

TEST_CASE("unusable logits leave nothing to draw; infinite ones are left out", "[distribution]") {
  const SamplingRow how{1.0f, kNoTopK, 1.0f, 0, 0};
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> broken{0.0f, nan}, none{-infinity, -infinity}, masked{0.0f, -infinity, 0.0f};
  CHECK(Distribution::of_logits(broken.data(), 2, how).empty());
  CHECK(Distribution::of_logits(none.data(), 2, how).empty());
  const Distribution two = Distribution::of_logits(masked.data(), 3, how);
  CHECK((two.of(0) == 0.5 && two.of(1) == 0.0 && two.of(2) == 0.5));
}

TEST_CASE("a uniform number falls on each token for as long as it is probable", "[distribution]") {
  const Distribution d = Distribution::proportional_to({{7, 1.0}, {2, 2.0}, {4, 0.0}, {3, 1.0}});
  CHECK(d.parts().size() == 3);
  CHECK(d.draw(0.0) == 2);
  CHECK(d.draw(0.499999) == 2);
  CHECK(d.draw(0.5) == 3);
  CHECK(d.draw(0.75) == 7);
  CHECK(d.draw(std::nextafter(1.0, 0.0)) == 7);
  CHECK_THROWS_AS(Distribution().draw(0.5), std::logic_error);
}

TEST_CASE("rounding never makes a number fall past the last token", "[distribution]") {
  std::vector<Distribution::Part> equal;
  for (TokenId id = 0; id < 100; ++id) {  // six sixths, for one, sum to less than 1
    equal.push_back({id, 1.0});
    CHECK(Distribution::proportional_to(equal).draw(std::nextafter(1.0, 0.0)) == id);
  }
}

TEST_CASE("total variation: 0 of the same, 1 of strangers", "[distribution]") {
  const Distribution a = Distribution::proportional_to({{0, 1.0}, {1, 3.0}});
  const Distribution b = Distribution::proportional_to({{1, 1.0}, {2, 1.0}});
  CHECK(total_variation(a, a) == 0.0);
  CHECK(total_variation(a, b) == 0.5);  // 1/4, 1/4 and 1/2, halved
  CHECK(total_variation(Distribution::certain(3), Distribution::certain(4)) == 1.0);
}

}  // namespace
}  // namespace stagecraft
