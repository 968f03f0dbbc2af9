/// @file
/// Memory, then speed.
#include "stages/plan/evaluation.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {

std::optional<double> Evaluation::gpu_seconds_per_request(const Service& service) const {
  if (!best) return std::nullopt;
  return double(service.deployment.gpus) / best->requests_per_s;
}

Evaluation evaluate(const Service& service) {
  const Deployment& deployment = service.deployment;
  const Demand& demand = service.demand;
  const ModelShape& shape = deployment.shape;
  if (shape.context > 0 && demand.longest > shape.context) {
    throw BadInput(fmt::format("a request of {} tokens is longer than the context of {}, {}", demand.longest,
                               shape.name, shape.context),
                   "ask for shorter prompts or outputs, or take another model");
  }
  const CostModel cost = cost_model_of(deployment, demand.typical_tokens());
  Evaluation result;
  result.concurrent = most_concurrent(deployment, demand.prompt_tokens + demand.output_tokens);
  result.concurrent_longest = most_concurrent(deployment, demand.longest);
  const int64_t most = std::min(result.concurrent, service.batch_limit.value_or(std::numeric_limits<int64_t>::max()));
  result.ttft_ms = lone_ttft_ms(cost, demand, deployment.step_tokens);
  result.tpot_alone_ms = operating_point(cost, demand, deployment.step_tokens, 1, service.speculation).tpot_ms;
  if (most > 0) result.best = best_point(cost, demand, deployment.step_tokens, most, service.speculation);
  result.memory = plan_memory(deployment, result.best ? result.best->requests : 1);
  return result;
}

}  // namespace stagecraft
