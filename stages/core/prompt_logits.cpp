/// @file
/// A request that is only read, never continued.
#include "stages/core/prompt_logits.h"

#include <algorithm>

#include "kernels/check.h"
#include "stages/core/engine_run.h"
#include "stages/core/slot_kv_store.h"

namespace stagecraft {

std::vector<float> prompt_logits(Model& model, KvPool& pool, const std::vector<TokenId>& prompt, int64_t chunk) {
  Request request;
  request.tokens = prompt;
  SlotKvStore store({.max_running = 1, .slots_per_request = pool.slots()});
  check(store.reserve(request, int64_t(prompt.size())), "the pool holds the prompt");

  const size_t vocabulary = size_t(model.config().vocabulary);
  std::vector<float> logits(prompt.size() * vocabulary);
  while (request.pending() > 0) {
    const int64_t rows = std::min(request.pending(), chunk);
    const StepPlan plan{{{&request, request.num_computed, rows, rows}}};
    const float* on_device = model.forward(make_batch(plan, store), pool);
    model.device().synchronize();
    model.device().copy_to_host(logits.data() + size_t(request.num_computed) * vocabulary, on_device,
                                size_t(rows) * vocabulary * sizeof(float));
    advance(plan);
  }
  return logits;
}

}  // namespace stagecraft
