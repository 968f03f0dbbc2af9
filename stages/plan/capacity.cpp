/// @file
/// One workload, many rates.
#include "stages/plan/capacity.h"

#include <algorithm>
#include <cmath>

#include "kernels/check.h"
#include "stages/4_continuous_batching/simulation.h"
#include "stages/core/virtual_clock.h"

namespace stagecraft {
namespace {

constexpr double kNsPerSecond = 1e9;
constexpr uint64_t kSeed = 1;
constexpr int kHalvings = 9;           // to half a percent of the upper bound
constexpr double kLeastShare = 0.01;   // of the upper bound
constexpr double kLengthSpread = 0.5;  // coefficient of variation of lengths that are given as means

// A queue shows itself only after the places have been filled a few times over; and a plan should not take minutes.
constexpr int64_t kFillings = 6, kFewestRequests = 200, kMostRequests = 2000, kMostTokens = 1'000'000;

int64_t requests_for(const Demand& demand, int64_t most_running) {
  const int64_t affordable = std::max(kFewestRequests, kMostTokens / demand.output_tokens);
  return std::clamp(kFillings * most_running, kFewestRequests, std::min(kMostRequests, affordable));
}

/// The demand as a workload, its prompts without what is shared.
Workload workload_of(const Demand& demand, int64_t most_running, double requests_per_s) {
  const ArrivalSpec arrivals{.per_second = requests_per_s};
  if (!demand.trace) {
    WorkloadSpec spec;
    spec.requests = requests_for(demand, most_running);
    spec.arrivals = arrivals;
    spec.prompt = {.mean = double(demand.computed_prompt()), .cv = kLengthSpread, .longest = demand.longest};
    spec.output = {.mean = double(demand.output_tokens), .cv = kLengthSpread, .longest = demand.longest};
    spec.seed = kSeed;
    return generate_workload(spec);
  }
  Workload workload = *demand.trace;
  const double computed = 1 - demand.prefix_share;
  for (WorkloadRequest& request : workload.requests) {
    request.prompt_tokens = std::max<int64_t>(1, std::llround(double(request.prompt_tokens) * computed));
    request.prefix.clear();
  }
  set_arrivals(workload, arrivals, kSeed);
  return workload;
}

/// K/V that are there already are read like the others, though the simulated prompts lack them.
CostModel with_shared_reads(CostModel cost, const Demand& demand) {
  const double held = double(demand.typical_tokens());
  const double simulated = double(demand.computed_prompt() + demand.output_tokens / 2);
  cost.kv_bytes_per_token = std::llround(double(cost.kv_bytes_per_token) * held / simulated);
  cost.attention_ps = std::llround(double(cost.attention_ps) * held / simulated);
  return cost;
}

}  // namespace

ServedLoad serve(const Deployment& deployment, const Demand& demand, int64_t most_running, double requests_per_s) {
  const Workload workload = workload_of(demand, most_running, requests_per_s);
  SimulationOptions options;
  options.cost = with_shared_reads(cost_model_of(deployment, demand.typical_tokens()), demand);
  options.scheduler.max_running = int(most_running);
  options.step_tokens = deployment.step_tokens;
  const SimulationResult result = simulate(workload, options);

  ServedLoad load;
  load.requests_per_s = requests_per_s;
  load.attainment = goodput_of(result.log, demand.slo).share();
  load.latency = latency_summary(result.log.requests);
  // The tail, in which nobody comes any more, says nothing about a service that goes on.
  const TimePoint last_arrival = result.log.requests.back().arrival;
  int64_t tokens = 0;
  for (const RequestRecord& record : result.log.requests) {
    for (const Chunk& chunk : record.chunks) tokens += chunk.at <= last_arrival ? chunk.tokens : 0;
  }
  const double seconds = double(VirtualClock::nanoseconds(last_arrival)) / kNsPerSecond;
  load.tokens_per_s = seconds > 0 ? double(tokens) / seconds : 0;
  return load;
}

std::optional<ServedLoad> capacity(const Deployment& deployment, const Demand& demand, int64_t most_running,
                                   double upper) {
  check(upper > 0 && most_running > 0, "there is something to halve");
  std::optional<ServedLoad> best;
  double good = 0, bad = upper;
  ServedLoad tried = serve(deployment, demand, most_running, upper);
  if (tried.attainment >= kAttainment) return tried;
  for (int i = 0; i < kHalvings; ++i) {
    const double rate = (good + bad) / 2;
    if (rate < kLeastShare * upper) break;
    tried = serve(deployment, demand, most_running, rate);
    if (tried.attainment >= kAttainment) best = tried;
    (tried.attainment >= kAttainment ? good : bad) = rate;
  }
  return best;
}

}  // namespace stagecraft
