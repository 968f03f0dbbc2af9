/// @file
/// exact_exp and exact_log against double, at every float of dense samples; the fold; the softmax merge.
#include "kernels/exact_math.h"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.h"
#include "tests/kernels/random_data.h"

using namespace stagecraft;

namespace {

/// Error in units of the last place of the true value.
double error_in_ulp(float actual, double truth) {
  const double ulp = std::ldexp(1.0, std::ilogb(truth) - 23);
  return std::abs(double(actual) - truth) / ulp;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("exact_exp errs by less than 1.5 units in the last place") {
  double worst = 0;
  // Every 997th float of each sign, from the smallest normal one to the ends of the range.
  for (const uint32_t sign : {0u, 0x80000000u}) {
    for (uint32_t bits = 0x00800000u; float_from_bits(bits) <= (sign ? 87.0f : 88.0f); bits += 997) {
      const float x = float_from_bits(bits | sign);
      worst = std::max(worst, error_in_ulp(exact_exp(x), std::exp(double(x))));
    }
  }
  INFO("worst error " << worst);
  CHECK(worst < 1.5);
  CHECK(worst > 0.4);  // the comparison itself is alive
}

TEST_CASE("exact_exp at its edges") {
  CHECK(exact_exp(0.0f) == 1.0f);
  CHECK(exact_exp(-0.0f) == 1.0f);
  CHECK(exact_exp(std::nextafter(-87.0f, -100.0f)) == 0.0f);
  CHECK(exact_exp(-87.0f) >= std::numeric_limits<float>::min());
  CHECK(std::isfinite(exact_exp(88.0f)));
  CHECK(exact_exp(std::nextafter(88.0f, 100.0f)) == kInfinity);
  CHECK(exact_exp(-kInfinity) == 0.0f);
  CHECK(exact_exp(kInfinity) == kInfinity);
  CHECK(std::isnan(exact_exp(kNan)));
  CHECK(exact_exp(std::numeric_limits<float>::denorm_min()) == 1.0f);
}

TEST_CASE("exact_exp never falls") {
  float previous = 0.0f;
  for (float x = -87.5f; x < 88.5f; x += 1.0f / 1024) {
    const float y = exact_exp(x);
    REQUIRE(y >= previous);
    previous = y;
  }
}

TEST_CASE("exact_log errs by less than 2 units in the last place, and near one by less than 1e-7") {
  double worst = 0;
  for (uint32_t bits = 0x00800000u; bits < 0x7F800000u; bits += 997) {
    const float x = float_from_bits(bits);
    const double truth = std::log(double(x));
    if (std::abs(truth) > 0.3) {
      worst = std::max(worst, error_in_ulp(exact_log(x), truth));
    } else {
      REQUIRE(std::abs(double(exact_log(x)) - truth) < 1e-7);
    }
  }
  INFO("worst error " << worst);
  CHECK(worst < 2.0);
  CHECK(worst > 0.4);
  CHECK(exact_log(1.0f) == 0.0f);
}

TEST_CASE("the fold adds in the order 32, 16, 8, 4, 2, 1") {
  // Sums of numbers of very different size depend on the order; the same tree, spelled as a recursion over the index.
  testing::RandomNumbers random{1};
  for (int round = 0; round < 100; ++round) {
    float partial[kPartialSums];
    for (float& p : partial) p = random.number();
    const auto tree = [&](const auto& self, int first, int step) -> float {
      return step == kPartialSums ? partial[first] : self(self, first, step * 2) + self(self, first + step, step * 2);
    };
    const float expected = tree(tree, 0, 1);
    REQUIRE(bits_of(exact_fold(partial)) == bits_of(expected));
  }
}

TEST_CASE("the dot product is the sum of products, in its own order") {
  testing::RandomNumbers random{2};
  for (const int64_t n : {0, 1, 63, 64, 65, 1000}) {
    const std::vector<float> a = random.normals(n), b = random.normals(n);
    double truth = 0, size = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      truth += double(a[i]) * b[i];
      size += std::abs(double(a[i]) * b[i]);
    }
    CHECK(std::abs(exact_dot(a.data(), b.data(), n) - truth) <= 1e-6 * size);
  }
  const float tiny[] = {-1e-30f}, factor[] = {1e-30f};
  CHECK(bits_of(exact_dot(tiny, factor, 1)) == 0);  // -0 of an underflow, plus the empty partial sums, is +0
}

TEST_CASE("softmax states merge to the state of all scores") {
  testing::RandomNumbers random{3};
  const auto state_of = [](const std::vector<float>& scores) {
    SoftmaxState state;
    for (const float s : scores) state.max = std::max(state.max, s);
    for (const float s : scores) state.sum += exact_exp(s - state.max);
    return state;
  };
  for (const float shift : {-50.0f, 0.0f, 50.0f}) {
    std::vector<float> first = random.normals(20), second = random.normals(30);
    for (float& s : second) s += shift;
    SoftmaxState merged = state_of(first);
    const MergeWeights weights = merge(merged, state_of(second));
    std::vector<float> all = first;
    all.insert(all.end(), second.begin(), second.end());
    CHECK(merged.max == state_of(all).max);
    CHECK(std::abs(merged.sum - state_of(all).sum) <= 1e-6f * merged.sum);
    CHECK(std::max(weights.earlier, weights.later) == 1.0f);
  }
}

TEST_CASE("merging a state of much smaller scores changes nothing") {
  SoftmaxState state{3.0f, 2.0f};
  const MergeWeights weights = merge(state, {-200.0f, 5.0f});
  CHECK(state.max == 3.0f);
  CHECK(state.sum == 2.0f);
  CHECK(weights.later == 0.0f);
}

TEST_CASE("a rotation keeps the length and turns by its angle") {
  const RotatedPair pair = rotate(3.0f, 4.0f, std::cos(0.5f), std::sin(0.5f));
  CHECK(std::abs(std::hypot(pair.left, pair.right) - 5.0f) < 1e-6f);
  CHECK(std::abs(std::atan2(pair.right, pair.left) - std::atan2(4.0f, 3.0f) - 0.5f) < 1e-6f);
}
