/// @file
/// From plan to batch, from logits to tokens, from tokens to clients.
#include "stages/core/engine_run.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

std::optional<std::string> refusal_of(const Job& job, const KvStore& store) {
  if (job.refusal) return job.refusal;
  if (job.request.tokens.empty()) return job.origin + ": the prompt has no tokens";
  const std::optional<std::string> too_large = store.refusal(most_stored(job.request));
  if (too_large) return fmt::format("{}: {}", job.origin, *too_large);
  return std::nullopt;
}

/// How the token after `row` of the request is drawn. Its noise is keyed by the position it will have, not by the step.
SamplingRow next_token(const Request& request, int64_t row) {
  const SamplingParams& how = request.sampling;
  return {how.temperature, how.top_k, how.top_p, how.seed, row + 1};
}

void check_drawn(TokenId token, const Request& request) {
  if (token != kNoToken) return;
  throw Failure(
      fmt::format("request {}, step {}: the logits hold a NaN or no finite value", request.id, request.generated()),
      "the weights are damaged or overflow: look for warnings above, try --kv-type fp32");
}

}  // namespace

ForwardBatch make_batch(const StepPlan& plan, const KvStore& store) {
  ForwardBatch batch;
  batch.query_start = {0};
  for (const StepItem& item : plan.items) {
    const Request& request = *item.request;
    const int64_t end = item.first + item.tokens, first_slot = store.slot(request, 0);
    batch.tokens.insert(batch.tokens.end(), request.tokens.begin() + item.first, request.tokens.begin() + end);
    for (int64_t position = item.first; position < end; ++position) {
      batch.positions.push_back(int32_t(position));
      batch.slots.push_back(first_slot + position);
    }
    for (int64_t back = item.logit_rows; back > 0; --back) batch.logit_rows.push_back(batch.rows() - int32_t(back));
    batch.query_start.push_back(batch.rows());
    batch.first_slot.push_back(first_slot);
  }
  return batch;
}

EngineRun::EngineRun(const RunInput& input, const KvStore& store)
    : input_(input), store_(store), furthest_(input.jobs.size(), 0) {
  log_.start = input_.clock.now();
  for (const Job& job : input_.jobs) {
    check(job.request.id == int(requests_.size()), "a request's id is its place in the list of jobs");
    requests_.emplace_back(job.request, input_.tokenizer, input_.end_of_text, arrival(job.request), input_.sink);
    if (auto reason = refusal_of(job, store)) requests_.back().refuse(std::move(*reason));
  }
}

TimePoint EngineRun::arrival(const Request& request) const {
  return log_.start + std::chrono::nanoseconds(job(request).arrival_ns);
}

void EngineRun::wait_for(const Request& request) {
  input_.clock.wait_until(arrival(request), [&] { return input_.cancelled(request); });
}

bool EngineRun::is_over(Generation& generation) {
  if (!generation.finished() && input_.cancelled(generation.request())) generation.cancel(input_.clock.now());
  return generation.finished();
}

StepPart EngineRun::part_of(const StepItem& item) {
  const int id = item.request->id;
  const int64_t end = item.first + item.tokens;
  int64_t& furthest = furthest_[size_t(id)];
  const int64_t again = std::clamp<int64_t>(furthest - item.first, 0, item.tokens);
  furthest = std::max(furthest, end);
  return {id, item.tokens, again, end};
}

void EngineRun::forward(const StepPlan& plan) {
  StepRecord step;
  step.start = input_.clock.now();
  int64_t in_pass = 0;
  for (const StepItem& item : plan.items) {
    generation(*item.request).schedule(step.start);
    step.parts.push_back(part_of(item));
    in_pass += step.parts.back().kv_length;
  }
  input_.model.forward(make_batch(plan, store_), input_.pool);
  input_.model.device().synchronize();  // so that the time is the pass's own
  input_.clock.spend(step.parts);
  step.forwarded = input_.clock.now();

  const int64_t bytes_per_token = input_.model.config().kv_bytes_per_token(input_.pool.type());
  step.kv_idle_tokens = store_.usage().used_bytes / bytes_per_token - in_pass;
  log_.steps.push_back(std::move(step));
}

std::vector<TokenId> EngineRun::sample(const StepPlan& plan) {
  std::vector<SamplingRow> rows;
  std::vector<const Request*> of_row;
  for (const StepItem& item : plan.items) {
    for (int64_t back = item.logit_rows; back > 0; --back) {
      rows.push_back(next_token(*item.request, item.first + item.tokens - back));
      of_row.push_back(item.request);
    }
  }
  if (rows.empty()) return {};
  std::vector<TokenId> drawn = input_.model.sample(rows);
  for (size_t row = 0; row < drawn.size(); ++row) check_drawn(drawn[row], *of_row[row]);
  return drawn;
}

void EngineRun::deliver(const StepPlan& plan, const std::vector<TokenId>& drawn) {
  const TimePoint now = input_.clock.now();
  auto next = drawn.begin();
  for (const StepItem& item : plan.items) {
    const auto end = next + std::ptrdiff_t(item.logit_rows);
    Generation& its = generation(*item.request);
    if (next != end && !its.finished()) its.accept({next, end}, now);
    next = end;
  }
  check(next == drawn.end(), "one token for each row of logits");
  latest_step().finished = input_.clock.now();
}

RunLog EngineRun::finish() {
  log_.end = input_.clock.now();
  for (const Generation& generation : requests_) log_.requests.push_back(generation.record());
  return std::move(log_);
}

void advance(const StepPlan& plan) {
  for (const StepItem& item : plan.items) item.request->num_computed = item.first + item.tokens;
}

StepItem catch_up(Request& request) { return {&request, request.num_computed, request.pending(), 1}; }

}  // namespace stagecraft
