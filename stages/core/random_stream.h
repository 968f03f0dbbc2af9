#pragma once
/// @file
/// Random numbers and distributions that are the same on every machine. The generators and std:: engines are specified
/// by the standard, its distributions are not: std::gamma_distribution differs between libraries. These stand on Philox
/// and on our own ln and e^x (kernels/exact_math.h), so a seed means one workload everywhere.
#include <cstdint>

#include "kernels/sampling.h"

namespace stagecraft {

/// An endless sequence chosen by a seed and a name. Streams of other names, or of other seeds, are independent.
class RandomStream {
 public:
  RandomStream(uint64_t seed, uint64_t name) : seed_(seed), name_(name) {}

  uint32_t word();

  /// In the open interval (0, 1).
  float uniform() { return open_unit(word()); }

  /// A whole number in [0, bound).
  int64_t below(uint32_t bound) { return int64_t((uint64_t(word()) * bound) >> 32); }

  /// Mean 0, variance 1.
  float normal();

  /// Mean `shape`, variance `shape`; `shape` is positive.
  float gamma(float shape);

  /// The given mean and coefficient of variation (standard deviation / mean); `mean` is positive, `cv` not negative.
  float lognormal(float mean, float cv);

 private:
  uint64_t seed_;
  uint64_t name_;
  uint64_t words_drawn_ = 0;
  PhiloxWords block_{};
};

}  // namespace stagecraft
