/// @file
/// Sums of arithmetic series, with and without rounding up.
#include "stages/5_paged_attention/kv_demand.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/counting_laws.h"

namespace stagecraft {
namespace {

// Blocks for 1 token + blocks for 2 tokens + ... + blocks for `length` tokens.
int64_t sum_of_blocks(int64_t length, int64_t block_size) {
  const int64_t full = length / block_size;
  return block_size * full * (full + 1) / 2 + (length % block_size) * (full + 1);
}

}  // namespace

KvDemand kv_demand(const Workload& workload, int64_t block_size, int64_t longest) {
  check(block_size >= 1, "a block holds a token");
  KvDemand demand;
  int64_t shortest = LengthSpec::kNoLimit;
  for (const WorkloadRequest& request : workload.requests) {
    const int64_t last = request.prompt_tokens + request.output_tokens - 1;
    shortest = std::min(shortest, last);
    if (last > longest) {
      ++demand.refused;
      continue;
    }
    ++demand.requests;
    demand.used += naive_tokens_forwarded(request.prompt_tokens, request.output_tokens);
    demand.paged +=
        block_size * (sum_of_blocks(last, block_size) - sum_of_blocks(request.prompt_tokens - 1, block_size));
    demand.reserve_max += request.output_tokens * longest;
  }
  if (demand.requests == 0) {
    throw BadInput(fmt::format("no request of the workload fits into {} tokens of KV cache", longest),
                   fmt::format("the shortest one needs {}", shortest));
  }
  return demand;
}

}  // namespace stagecraft
