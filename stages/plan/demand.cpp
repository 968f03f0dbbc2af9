/// @file
/// Means and peaks of a trace.
#include "stages/plan/demand.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr int64_t kNsPerMinute = 60'000'000'000;
constexpr double kNsPerSecond = 1e9;

/// Requests in the busiest whole minute, as a multiple of the mean; 1 for traces that are shorter than two.
double peak_to_mean(const Workload& trace) {
  const int64_t last = trace.requests.back().arrival_ns;
  if (last < 2 * kNsPerMinute) return 1;
  std::unordered_map<int64_t, int64_t> in_minute;
  int64_t most = 0;
  for (const WorkloadRequest& request : trace.requests) {
    most = std::max(most, ++in_minute[request.arrival_ns / kNsPerMinute]);
  }
  const double mean = double(trace.requests.size()) * double(kNsPerMinute) / double(last);
  return std::max(1.0, double(most) / mean);
}

}  // namespace

Demand demand_of(const Workload& trace, const Slo& slo) {
  if (trace.requests.empty()) throw BadInput(fmt::format("{}: there is no request in it", trace.name));
  Demand demand;
  double prompt = 0, output = 0;
  demand.longest = 0;
  for (const WorkloadRequest& request : trace.requests) {
    prompt += double(request.prompt_tokens);
    output += double(request.output_tokens);
    demand.longest = std::max(demand.longest, request.prompt_tokens + request.output_tokens);
  }
  const auto requests = double(trace.requests.size());
  demand.prompt_tokens = std::max<int64_t>(1, std::llround(prompt / requests));
  demand.output_tokens = std::max<int64_t>(1, std::llround(output / requests));
  const double seconds = double(trace.requests.back().arrival_ns) / kNsPerSecond;
  if (seconds > 0) {
    demand.requests_per_s = requests / seconds;
    demand.peak_to_mean = peak_to_mean(trace);
  }
  demand.slo = slo;
  demand.trace = trace;
  return demand;
}

}  // namespace stagecraft
