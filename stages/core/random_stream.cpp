/// @file
/// Normal, gamma and lognormal numbers from uniform ones.
#include "stages/core/random_stream.h"

#include <cmath>

namespace stagecraft {

uint32_t RandomStream::word() {
  const uint64_t block = words_drawn_ / 4;
  const uint64_t lane = words_drawn_ % 4;
  if (lane == 0) {
    block_ = philox(seed_, {{uint32_t(block), uint32_t(block >> 32), uint32_t(name_), uint32_t(name_ >> 32)}});
  }
  ++words_drawn_;
  return block_.word[lane];
}

// Polar method (Marsaglia and Bray 1964): needs no sine.
float RandomStream::normal() {
  for (;;) {
    const float x = 2.0f * uniform() - 1.0f;
    const float y = 2.0f * uniform() - 1.0f;
    const float square = fmaf(x, x, y * y);
    if (square >= 1.0f || square == 0.0f) continue;
    return x * sqrtf(-2.0f * exact_log(square) / square);
  }
}

// Marsaglia and Tsang 2000, "A simple method for generating gamma variables". Shapes below 1 by their remark:
// gamma(shape + 1) * uniform^(1 / shape).
float RandomStream::gamma(float shape) {
  if (shape < 1.0f) return gamma(shape + 1.0f) * exact_exp(exact_log(uniform()) / shape);
  const float d = shape - 1.0f / 3.0f;
  const float c = 1.0f / sqrtf(9.0f * d);
  for (;;) {
    const float x = normal();
    const float root = fmaf(c, x, 1.0f);
    if (root <= 0.0f) continue;
    const float v = root * root * root;
    if (exact_log(uniform()) < 0.5f * x * x + d - d * v + d * exact_log(v)) return d * v;
  }
}

float RandomStream::lognormal(float mean, float cv) {
  const float variance = exact_log(fmaf(cv, cv, 1.0f));  // of the logarithm
  const float center = exact_log(mean) - 0.5f * variance;
  return exact_exp(fmaf(sqrtf(variance), normal(), center));
}

}  // namespace stagecraft
