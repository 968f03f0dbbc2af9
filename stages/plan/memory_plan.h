#pragma once
/// @file
/// Where the memory goes, over all cards of a replica together:
///
///     | weights | activations | K/V ........................ | left out |
///     |<------------ memory x memory_share ---------------->|
///
/// Weights and K/V are counted exactly. Activations are those of our own engine's step (rows x widths, and logits), which
/// other engines reuse more or less; what drivers, graphs and fragmentation take cannot be counted and is left out by
/// memory_share.
#include <cstdint>

#include "stages/plan/deployment.h"

namespace stagecraft {

/// Tokens whose K/V are handed out together (PagedAttention; Kwon et al., 2023).
inline constexpr int64_t kKvBlock = 16;

struct MemoryPlan {
  int64_t total = 0, weights = 0, activations = 0, left_out = 0;  // bytes
  int64_t kv_room = 0;                                            // what is left; 0 if the model does not fit

  bool fits() const { return kv_room > 0; }
};

/// For a step of `requests` requests.
MemoryPlan plan_memory(const Deployment& deployment, int64_t requests);

/// Requests of `tokens` tokens each whose K/V fit, with the activations they need.
int64_t most_concurrent(const Deployment& deployment, int64_t tokens);

}  // namespace stagecraft
