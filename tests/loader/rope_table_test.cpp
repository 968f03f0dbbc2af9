/// @file
/// RoPE tables against numbers worked out by hand, and against those of the numpy reference.
#include "stages/core/rope_table.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tests/catch.h"

using namespace stagecraft;

namespace {

RopeConfig llama3(double theta, double original_context) {
  RopeConfig rope;
  rope.kind = RopeConfig::Kind::llama3;
  rope.theta = theta;
  rope.factor = 8.0;
  rope.original_context = original_context;
  return rope;
}

RopeConfig yarn(double theta, double factor, double original_context) {
  RopeConfig rope;
  rope.kind = RopeConfig::Kind::yarn;
  rope.theta = theta;
  rope.factor = factor;
  rope.original_context = original_context;
  return rope;
}

void check_frequencies(const RopeConfig& rope, int head_dim, const std::vector<double>& expected) {
  const std::vector<double> frequencies = rope_frequencies(rope, head_dim);
  REQUIRE(frequencies.size() == size_t(head_dim / 2));
  REQUIRE(expected.size() == frequencies.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO("pair " << i << ": " << frequencies[i] << ", expected " << expected[i]);
    CHECK(std::abs(frequencies[i] - expected[i]) <= 1e-13 * expected[i]);
  }
}

}  // namespace

TEST_CASE("plain frequencies are powers of theta") {
  check_frequencies({}, 8, {1.0, 0.1, 0.01, 0.001});  // 10000^(-2i/8) = 10^-i
  check_frequencies({}, 2, {1.0});
}

TEST_CASE("linear scaling divides every frequency") {
  RopeConfig rope;
  rope.kind = RopeConfig::Kind::linear;
  rope.factor = 4.0;
  check_frequencies(rope, 8, {0.25, 0.025, 0.0025, 0.00025});
}

TEST_CASE("llama3 keeps fast pairs, slows slow ones, blends between") {
  // By hand, with theta 10^4, head_dim 8 and a context of 2 pi 100 tokens: the pairs turn 100, 10, 1 and 0.1 times in
  // it.
  RopeConfig rope = llama3(10000.0, 200.0 * std::numbers::pi);
  rope.low_frequency_factor = 1.0;
  rope.high_frequency_factor = 19.0;  // so 10 turns are half way
  check_frequencies(rope, 8, {1.0, 0.1 * (0.5 + 0.5 / 8), 0.01 / 8, 0.001 / 8});

  // check_golden.py's rope_frequencies (numpy), the configuration of the tiny model llama3-rope-scaling.
  check_frequencies(llama3(10000.0, 64.0), 16,
                    {1.0, 0.2443845994353983, 0.013042256043820463, 0.003952847075210474, 0.00125,
                     0.0003952847075210474, 0.000125, 3.952847075210474e-05});
}

TEST_CASE("yarn blends by the index of the pair") {
  // check_golden.py's rope_frequencies (numpy): the tiny model qwen2-yarn, and one with its own betas.
  check_frequencies(yarn(10000.0, 4.0, 1024.0), 16,
                    {1.0, 0.31622776601683794, 0.08125, 0.019764235376052368, 0.004375, 0.0007905694150420948, 0.00025,
                     7.905694150420948e-05});
  RopeConfig rope = yarn(1e6, 2.5, 4096.0);
  rope.beta_fast = 16.0;
  rope.beta_slow = 2.0;
  check_frequencies(rope, 32,
                    {1.0, 0.4216965034285822, 0.1778279410038923, 0.07498942093324558, 0.03162277660168379,
                     0.010668171457306592, 0.003374047951142095, 0.0009485494822646622, 0.0004, 0.00016867860137143292,
                     7.113117640155692e-05, 2.9995768373298236e-05, 1.2649110640673518e-05, 5.334085728653296e-06,
                     2.2493653007613966e-06, 9.485494822646621e-07});
}

TEST_CASE("yarn without truncation begins its ramp between two pairs") {
  // By hand: theta 10^4, head_dim 8, context 2 pi 10^2.5. 10^-i turns 10^(2.5 - i) times: one turn at index 2.5, and
  // 10^2 turns at index 0.5.
  RopeConfig rope = yarn(10000.0, 2.0, 2.0 * std::numbers::pi * std::pow(10.0, 2.5));
  rope.beta_fast = 100.0;
  const auto blend = [](double keep) { return keep + (1.0 - keep) / 2.0; };
  rope.whole_indices = true;  // from 0 to 3
  check_frequencies(rope, 8, {1.0, 0.1 * blend(2.0 / 3), 0.01 * blend(1.0 / 3), 0.001 / 2});
  rope.whole_indices = false;  // from 0.5 to 2.5
  check_frequencies(rope, 8, {1.0, 0.1 * blend(0.75), 0.01 * blend(0.25), 0.001 / 2});
}

TEST_CASE("yarn with both ends of its ramp at one pair is a step, not a division by zero") {
  RopeConfig rope = yarn(10000.0, 2.0, 2.0 * std::numbers::pi * 100.0);
  rope.beta_fast = rope.beta_slow = 10.0;  // index 1 exactly
  rope.whole_indices = false;
  const std::vector<double> frequencies = rope_frequencies(rope, 8);
  CHECK(frequencies[0] == 1.0);
  CHECK(std::abs(frequencies[2] - 0.01 / 2) < 1e-15);
  CHECK(std::abs(frequencies[3] - 0.001 / 2) < 1e-15);
}

TEST_CASE("the table holds cosine and sine of position times frequency") {
  const RopeTable table = make_rope_table({}, 4, 3);  // frequencies 1 and 0.01
  const std::vector<double> angles{0.0, 0.0, 1.0, 0.01, 2.0, 0.02};
  REQUIRE(table.cosines.size() == angles.size());
  REQUIRE(table.sines.size() == angles.size());
  for (size_t i = 0; i < angles.size(); ++i) {
    CHECK(table.cosines[i] == float(std::cos(angles[i])));
    CHECK(table.sines[i] == float(std::sin(angles[i])));
  }
}

TEST_CASE("far positions keep the precision of double") {
  // At position 100,000 an angle in float would be off by up to 0.004; cos(100000) = -0.99936080743821...
  const RopeTable table = make_rope_table({}, 2, 100'001);
  CHECK(table.cosines.back() == -0.99936080743821f);
}

TEST_CASE("the attention factor multiplies cosine and sine, and only there") {
  RopeConfig rope = yarn(10000.0, 4.0, 1024.0);
  rope.attention_factor = 1.5;
  const RopeTable table = make_rope_table(rope, 16, 2);
  CHECK(table.cosines[0] == 1.5f);
  CHECK(table.sines[0] == 0.0f);
  CHECK(table.sines[8] == float(std::sin(1.0) * 1.5));
}

TEST_CASE("a table of no positions is empty, an odd head_dim a bug") {
  CHECK(make_rope_table({}, 8, 0).cosines.empty());
  CHECK_THROWS_AS(rope_frequencies({}, 7), std::logic_error);
  CHECK_THROWS_AS(rope_frequencies({}, 0), std::logic_error);
}
