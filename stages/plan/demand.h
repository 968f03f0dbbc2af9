#pragma once
/// @file
/// What is asked of a service: lengths, arrivals, and how soon the answers must come.
#include <cstdint>
#include <optional>

#include "stages/core/goodput.h"
#include "stages/core/workload.h"

namespace stagecraft {

struct Demand {
  int64_t prompt_tokens = 512, output_tokens = 256;  // means
  int64_t longest = 768;                             // prompt and output of the longest request
  double prefix_share = 0;                           // of each prompt that somebody has computed before
  std::optional<double> requests_per_s = {};         // mean over the day
  double peak_to_mean = 1;
  Slo slo = {};
  std::optional<Workload> trace = {};  // lengths and arrivals; without it they are the means, by a Poisson process

  /// Tokens that a request holds, averaged over the time in which it is answered.
  int64_t typical_tokens() const { return prompt_tokens + output_tokens / 2; }
  /// Tokens of a prompt that must be computed; the last one always.
  int64_t computed_prompt() const {
    const auto shared = int64_t(double(prompt_tokens) * prefix_share);
    return shared < prompt_tokens ? prompt_tokens - shared : 1;
  }
};

/// Lengths, rate and peak of `trace`. Throws BadInput if it is empty. The peak is the busiest of its minutes.
Demand demand_of(const Workload& trace, const Slo& slo);

}  // namespace stagecraft
