/// @file
/// Bytes, rates and waits.
#include "stages/plan/deployment.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {
namespace {

constexpr double kNsPerUs = 1e3, kPsPerNs = 1e3, kGflopPerTflop = 1e3;
constexpr int64_t kFlopPerParameter = 2;
constexpr int64_t kAllReducesPerLayer = 2;  // after attention, and after the MLP

int64_t bytes_of_parameters(int64_t count, double bits) {
  return int64_t(std::ceil(double(count) * bits / kBitsPerByte));
}

/// A rate in whole units a nanosecond, at least one.
int64_t whole_rate(double rate) { return std::max<int64_t>(1, std::llround(rate)); }

/// How many cards hold the same keys and values.
int64_t kv_copies(const Deployment& deployment) {
  const int64_t split = deployment.shape.latent.kv_rank > 0 ? 1 : deployment.shape.kv_heads;
  return (deployment.gpus + std::min(split, deployment.gpus) - 1) / std::min(split, deployment.gpus);
}

}  // namespace

int64_t expert_bytes(const Deployment& deployment) {
  return bytes_of_parameters(count_parameters(deployment.shape).experts, weight_bits(deployment.weights));
}

int64_t step_weight_bytes(const Deployment& deployment) {
  const ParameterCount count = count_parameters(deployment.shape);
  const int64_t head = deployment.shape.tied_head ? count.embedding : count.head;
  return bytes_of_parameters(count.attention + count.mlp, weight_bits(deployment.weights)) +
         bytes_of_parameters(head + count.router + count.norms, kFullBits);
}

int64_t stored_weight_bytes(const Deployment& deployment) {
  const ParameterCount count = count_parameters(deployment.shape);
  const int64_t looked_up = deployment.shape.tied_head ? 0 : count.embedding;
  return step_weight_bytes(deployment) + expert_bytes(deployment) + bytes_of_parameters(looked_up, kFullBits);
}

int64_t kv_bytes(const Deployment& deployment, int64_t tokens) {
  const double bits = kv_bits(deployment.kv, kv_group(deployment.shape));
  return bytes_of_parameters(kv_values(deployment.shape, tokens) * kv_copies(deployment), bits);
}

CostModel cost_model_of(const Deployment& deployment, int64_t typical_tokens) {
  const ModelShape& shape = deployment.shape;
  const Efficiency& efficiency = deployment.efficiency;
  const ParameterCount count = count_parameters(shape);
  const int64_t head = shape.tied_head ? count.embedding : count.head;
  const int64_t active_in_layers = active_parameters(shape) - count.embedding - count.head;
  const double gpus = double(deployment.gpus);
  const double gflops = deployment.gpu.dense_tflops * kGflopPerTflop * efficiency.flop * gpus;
  const double waits = deployment.gpus > 1 ? double(kAllReducesPerLayer * shape.layers) * efficiency.all_reduce_us : 0;

  CostModel cost;
  cost.overhead_ns = std::llround((efficiency.overhead_us + waits) * kNsPerUs);
  cost.weight_bytes = step_weight_bytes(deployment);
  if (shape.experts.count > 0) {
    cost.experts = {expert_bytes(deployment), shape.experts.count, shape.experts.per_token};
  }
  cost.kv_bytes_per_token = kv_bytes(deployment, typical_tokens) / std::max<int64_t>(1, typical_tokens);
  cost.bytes_per_ns = whole_rate(deployment.gpu.bandwidth_gbs * efficiency.bandwidth * gpus);
  cost.flop_per_token = kFlopPerParameter * active_in_layers;
  cost.flop_per_request = kFlopPerParameter * head;
  cost.flop_per_ns = whole_rate(gflops);
  cost.attention_ps = std::llround(double(attention_flop_per_pair(shape)) / gflops * kPsPerNs);
  return cost;
}

}  // namespace stagecraft
