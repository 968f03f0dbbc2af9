/// @file
/// The loop that all stages share, plan -> forward -> sample -> commit, and the one line that makes it naive.
#include "stages/1_naive/engine.h"

#include <numeric>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

/// How the token after the last one is drawn. Its noise is keyed by the position it will have, not by the step.
SamplingRow next_token(const Request& request) {
  const SamplingParams& how = request.sampling;
  return {how.temperature, how.top_k, how.top_p, how.seed, int64_t(request.tokens.size())};
}

void check_drawn(TokenId token, const Request& request) {
  if (token != kNoToken) return;
  throw Failure(
      fmt::format("request {}, step {}: the logits hold a NaN or no finite value", request.id, request.generated()),
      "the weights are damaged or overflow: look for warnings above, try --kv-type fp32");
}

}  // namespace

ForwardBatch plan_step(const Request& request) {
  ForwardBatch batch;
  batch.tokens.assign(request.tokens.begin() + request.num_computed, request.tokens.end());
  batch.positions.resize(batch.tokens.size());
  std::iota(batch.positions.begin(), batch.positions.end(), int32_t(request.num_computed));
  batch.slots.assign(batch.positions.begin(), batch.positions.end());  // the pool is this request's alone
  batch.query_start = {0, batch.rows()};
  batch.first_slot = {0};
  batch.logit_rows = {batch.rows() - 1};
  return batch;
}

void NaiveEngine::run(Generation& generation, const std::function<bool()>& cancelled) {
  while (!generation.finished()) {
    if (cancelled()) return generation.cancel();
    step(generation);
  }
}

void NaiveEngine::step(Generation& generation) {
  Request& request = generation.request();
  const int64_t seen_before = request.num_computed;
  //! [forget]
  request.num_computed = 0;
  //! [forget]

  StepRecord record;
  record.start = Clock::now();
  generation.schedule(record.start);

  const ForwardBatch batch = plan_step(request);
  model_.forward(batch, pool_);
  model_.device().synchronize();  // so that the time is the pass's own
  record.forwarded = Clock::now();

  const std::vector<TokenId> drawn = model_.sample({next_token(request)});
  check_drawn(drawn.front(), request);
  request.num_computed += batch.rows();
  record.parts = {{request.id, batch.rows(), seen_before, request.num_computed}};
  generation.accept(drawn);

  record.finished = Clock::now();
  steps_.push_back(std::move(record));
}

std::vector<float> prompt_logits(Model& model, KvPool& pool, const std::vector<TokenId>& prompt) {
  Request request;
  request.tokens = prompt;
  ForwardBatch batch = plan_step(request);
  batch.logit_rows.resize(prompt.size());
  std::iota(batch.logit_rows.begin(), batch.logit_rows.end(), 0);

  const float* on_device = model.forward(batch, pool);
  model.device().synchronize();
  std::vector<float> logits(prompt.size() * size_t(model.config().vocabulary));
  model.device().copy_to_host(logits.data(), on_device, logits.size() * sizeof(float));
  return logits;
}

}  // namespace stagecraft
