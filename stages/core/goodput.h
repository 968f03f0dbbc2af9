#pragma once
/// @file
/// Service level objectives: how soon a request's first token and its others must come. Throughput counts all requests,
/// goodput only those that were served in time (DistServe; Zhong et al., OSDI 2024).
#include <cstdint>
#include <vector>

#include "stages/core/run_log.h"

namespace stagecraft {

/// Targets, in milliseconds, infinity for none; a request meets them if neither is exceeded.
struct Slo {
  double ttft_ms = 2000;
  double tpot_ms = 100;
};

struct Goodput {
  int64_t met = 0, requests = 0;  // within both targets, of those that were not refused
  double requests_per_s = 0;      // those within both, by the duration of the run; 0 if it took no time

  double share() const { return requests > 0 ? double(met) / double(requests) : 0; }
};

/// Whether `request` was served to its end within both targets. Without a second token there is no TPOT to miss.
bool within(const Slo& slo, const RequestRecord& request);

/// Of all requests that somebody tried to serve; those that were cancelled have missed.
Goodput goodput_of(const RunLog& log, const Slo& slo);

}  // namespace stagecraft
