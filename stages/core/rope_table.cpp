/// @file
/// RoPE frequencies by kind; each stretching is one function from the plain frequencies to the slowed ones.
#include "stages/core/rope_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// `frequency` where keep is 1, slowed by `factor` where it is 0, a blend between.
double slow_down(double frequency, double keep, double factor) { return frequency * (keep + (1.0 - keep) / factor); }

void stretch_linear(std::vector<double>& frequencies, const RopeConfig& rope) {
  for (double& frequency : frequencies) frequency /= rope.factor;
}

void stretch_llama3(std::vector<double>& frequencies, const RopeConfig& rope) {
  const double band = rope.high_frequency_factor - rope.low_frequency_factor;
  for (double& frequency : frequencies) {
    const double turns = rope.original_context * frequency / kTurn;
    const double keep = std::clamp((turns - rope.low_frequency_factor) / band, 0.0, 1.0);
    frequency = slow_down(frequency, keep, rope.factor);
  }
}

/// The (fractional) index of the pair that makes `turns` turns within the original context: solve
/// original_context * theta^(-2i / head_dim) = 2 pi turns for 2i, then read it as an index into the pairs as YaRN does.
double yarn_index(const RopeConfig& rope, int head_dim, double turns) {
  return head_dim * std::log(rope.original_context / (turns * kTurn)) / (2.0 * std::log(rope.theta));
}

void stretch_yarn(std::vector<double>& frequencies, const RopeConfig& rope, int head_dim) {
  constexpr double kShortestRamp = 0.001;  // where the two ends of the ramp coincide
  double low = yarn_index(rope, head_dim, rope.beta_fast);
  double high = yarn_index(rope, head_dim, rope.beta_slow);
  if (rope.whole_indices) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, head_dim - 1.0);
  const double ramp = std::max(high - low, kShortestRamp);
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const double keep = 1.0 - std::clamp((double(i) - low) / ramp, 0.0, 1.0);
    frequencies[i] = slow_down(frequencies[i], keep, rope.factor);
  }
}

}  // namespace

std::vector<double> rope_frequencies(const RopeConfig& rope, int head_dim) {
  check(head_dim > 0 && head_dim % 2 == 0, "RoPE turns pairs: head_dim must be even and positive");
  std::vector<double> frequencies(size_t(head_dim / 2));
  for (size_t i = 0; i < frequencies.size(); ++i) {
    frequencies[i] = std::pow(rope.theta, -2.0 * double(i) / head_dim);
  }
  switch (rope.kind) {
    case RopeConfig::Kind::plain:
      break;
    case RopeConfig::Kind::linear:
      stretch_linear(frequencies, rope);
      break;
    case RopeConfig::Kind::llama3:
      stretch_llama3(frequencies, rope);
      break;
    case RopeConfig::Kind::yarn:
      stretch_yarn(frequencies, rope, head_dim);
      break;
  }
  return frequencies;
}

RopeTable make_rope_table(const RopeConfig& rope, int head_dim, int64_t positions) {
  check(positions >= 0, "a RoPE table has no negative length");
  const std::vector<double> frequencies = rope_frequencies(rope, head_dim);
  RopeTable table;
  table.cosines.reserve(size_t(positions) * frequencies.size());
  table.sines.reserve(size_t(positions) * frequencies.size());
  for (int64_t position = 0; position < positions; ++position) {
    for (const double frequency : frequencies) {
      const double angle = double(position) * frequency;
      table.cosines.push_back(float(std::cos(angle) * rope.attention_factor));
      table.sines.push_back(float(std::sin(angle) * rope.attention_factor));
    }
  }
  return table;
}

}  // namespace stagecraft
