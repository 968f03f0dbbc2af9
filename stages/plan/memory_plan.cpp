/// @file
/// Adding up bytes.
#include "stages/plan/memory_plan.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {
namespace {

constexpr double kGiga = 1e9;
constexpr int64_t kActivationBytes = 2, kLogitBytes = 4;

/// Of one row: residual, normed and projected; queries, keys, values and the attended; gate and up.
int64_t values_per_row(const ModelShape& shape) {
  const int64_t q_width = shape.heads * shape.head_dim, kv_width = shape.kv_heads * shape.head_dim;
  const int64_t expert_width = shape.experts.per_token * shape.experts.intermediate + shape.experts.shared_intermediate;
  return 3 * shape.hidden + 2 * (q_width + kv_width) + 2 * std::max(shape.intermediate, expert_width);
}

int64_t activation_bytes(const Deployment& deployment, int64_t requests) {
  const int64_t rows = std::max(deployment.step_tokens, requests);
  return rows * values_per_row(deployment.shape) * kActivationBytes +
         requests * deployment.shape.vocabulary * kLogitBytes;
}

/// K/V of a request, in whole blocks.
int64_t request_bytes(const Deployment& deployment, int64_t tokens) {
  return kv_bytes(deployment, (tokens + kKvBlock - 1) / kKvBlock * kKvBlock);
}

}  // namespace

MemoryPlan plan_memory(const Deployment& deployment, int64_t requests) {
  MemoryPlan plan;
  plan.total = std::llround(deployment.gpu.memory_gb * kGiga * double(deployment.gpus));
  plan.weights = stored_weight_bytes(deployment);
  plan.activations = activation_bytes(deployment, requests);
  plan.left_out = std::llround(double(plan.total) * (1 - deployment.memory_share));
  plan.kv_room = std::max<int64_t>(0, plan.total - plan.left_out - plan.weights - plan.activations);
  return plan;
}

int64_t most_concurrent(const Deployment& deployment, int64_t tokens) {
  const int64_t each = std::max<int64_t>(1, request_bytes(deployment, tokens));
  // More requests need more logits, which leaves less for K/V: the largest number that fits is found by halving.
  int64_t fits = 0, too_many = plan_memory(deployment, 1).kv_room / each + 1;
  while (fits + 1 < too_many) {
    const int64_t middle = fits + (too_many - fits) / 2;
    (middle * each <= plan_memory(deployment, middle).kv_room ? fits : too_many) = middle;
  }
  return fits;
}

}  // namespace stagecraft
