#pragma once
/// @file
/// What a workload asks of the KV pool, from its lengths alone: how much of what is held is empty, in pages and in
/// regions of the longest length allowed, and how many more requests fit into the same memory for it.
///
/// A request with p prompt tokens and n output tokens holds K/V for n steps: p tokens in the first, one more in each,
/// p + n - 1 in the last (the last token drawn is never stored). Summed over its steps, in slot-steps:
///
/// | held         | formula                                         |
/// |--------------|-------------------------------------------------|
/// | used         | p + (p + 1) + ... + (p + n - 1)                 |
/// | paged        | the same, each term rounded up to whole blocks  |
/// | reserve-max  | n x longest                                     |
#include <cstdint>

#include "stages/core/workload.h"

namespace stagecraft {

struct KvDemand {
  int64_t requests = 0;     // that can be served
  int64_t refused = 0;      // longer than the longest allowed
  int64_t used = 0;         // slot-steps
  int64_t paged = 0;        // slot-steps
  int64_t reserve_max = 0;  // slot-steps

  /// The share of what is held that holds no token, in [0, 1).
  double paged_waste() const { return 1.0 - double(used) / double(paged); }
  double reserve_max_waste() const { return 1.0 - double(used) / double(reserve_max); }

  /// How many times as many requests are served at once in the same memory, on average.
  double concurrency_gain() const { return double(reserve_max) / double(paged); }
};

/// For blocks of `block_size` tokens, and requests of at most `longest` tokens to store. Throws BadInput if none of the
/// requests is that short.
KvDemand kv_demand(const Workload& workload, int64_t block_size, int64_t longest);

}  // namespace stagecraft
