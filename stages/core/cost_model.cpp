/// @file
/// The roofline of one step, in integers.
#include "stages/core/cost_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

// `value` is not negative.
int64_t divide_up(int64_t value, int64_t by) { return value / by + (value % by != 0 ? 1 : 0); }

void require(const char* field, int64_t value, int64_t least) {
  if (value >= least) return;
  throw BadInput(fmt::format("cost model: {} is {}", field, value),
                 fmt::format("{} is the smallest that works", least));
}

}  // namespace

void CostModel::validate() const {
  require("overhead_ns", overhead_ns, 0);
  require("weight_bytes", weight_bytes, 0);
  require("kv_bytes_per_token", kv_bytes_per_token, 0);
  require("bytes_per_ns", bytes_per_ns, 1);
  require("flop_per_token", flop_per_token, 0);
  require("flop_per_ns", flop_per_ns, 1);
}

int64_t CostModel::step_ns(const std::vector<StepPart>& parts) const {
  int64_t tokens = 0, held = 0;
  for (const StepPart& part : parts) {
    tokens += part.rows;
    held += part.kv_length;
  }
  const int64_t memory_ns = divide_up(weight_bytes + held * kv_bytes_per_token, bytes_per_ns);
  const int64_t compute_ns = divide_up(tokens * flop_per_token, flop_per_ns);
  return overhead_ns + std::max(memory_ns, compute_ns);
}

}  // namespace stagecraft
