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

/// Where the keys of each request lie: its first slot, or its row of the block table.
void add_addresses(const StepPlan& plan, const KvStore& store, ForwardBatch& batch) {
  const std::optional<int64_t> block_size = store.block_size();
  if (!block_size) {
    for (const StepItem& item : plan.items) batch.first_slot.push_back(store.slot(*item.request, 0));
    return;
  }
  const auto blocks_of = [&](const StepItem& item) {
    return (item.first + item.tokens + *block_size - 1) / *block_size;
  };
  int64_t longest = 0;
  for (const StepItem& item : plan.items) longest = std::max(longest, blocks_of(item));
  batch.block_size = int32_t(*block_size);
  batch.table_stride = int32_t(longest);
  for (const StepItem& item : plan.items) {
    for (int64_t block = 0; block < longest; ++block) {
      const bool has_it = block < blocks_of(item);
      batch.block_table.push_back(has_it ? int32_t(store.slot(*item.request, block * *block_size) / *block_size)
                                         : kNoBlock);
    }
  }
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
    const int64_t end = item.first + item.tokens;
    batch.tokens.insert(batch.tokens.end(), request.tokens.begin() + item.first,
                        request.tokens.begin() + end - item.drafted);
    batch.tokens.insert(batch.tokens.end(), request.draft.begin(), request.draft.begin() + item.drafted);
    for (int64_t position = item.first; position < end; ++position) {
      batch.positions.push_back(int32_t(position));
      batch.slots.push_back(store.slot(request, position));
    }
    for (int64_t back = item.logit_rows; back > 0; --back) batch.logit_rows.push_back(batch.rows() - int32_t(back));
    batch.query_start.push_back(batch.rows());
  }
  add_addresses(plan, store, batch);
  return batch;
}

EngineRun::EngineRun(const RunInput& input, KvStore& store)
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
  StepPart part{.request = id, .rows = item.tokens, .kv_length = end, .drafted = item.drafted};
  part.recomputed = std::clamp<int64_t>(furthest - item.first, 0, item.tokens);
  part.found = std::max<int64_t>(item.first - furthest, 0);
  furthest = std::max(furthest, end - item.drafted);  // a guess that turns out right is added when that is known
  return part;
}

void EngineRun::forward(const StepPlan& plan) {
  StepRecord step;
  step.start = input_.clock.now();
  for (const StepItem& item : plan.items) {
    generation(*item.request).schedule(step.start);
    step.parts.push_back(part_of(item));
  }
  const std::vector<BlockCopy> copies = store_.take_copies();
  if (!copies.empty()) input_.pool.copy_blocks(input_.model.device(), copies, *store_.block_size());
  input_.model.forward(make_batch(plan, store_), input_.pool);
  input_.model.device().synchronize();  // so that the time is the pass's own
  input_.clock.spend(step.parts);
  step.forwarded = input_.clock.now();

  const KvUsage usage = store_.usage();
  step.kv_used_bytes = usage.used_bytes;
  step.kv_held_bytes = usage.reserved_bytes;
  log_.steps.push_back(std::move(step));
}

DrawnTokens EngineRun::sample(const StepPlan& plan) {
  std::vector<SamplingRow> rows;
  std::vector<const Request*> of_row;
  for (const StepItem& item : plan.items) {
    for (int64_t back = item.logit_rows; back > 0; --back) {
      rows.push_back(next_token(*item.request, item.first + item.tokens - back));
      of_row.push_back(item.request);
    }
  }
  DrawnTokens drawn(plan.items.size());
  if (rows.empty()) return drawn;
  const std::vector<TokenId> of_rows = input_.model.sample(rows);
  for (size_t row = 0; row < of_rows.size(); ++row) check_drawn(of_rows[row], *of_row[row]);
  auto next = of_rows.begin();
  for (size_t i = 0; i < plan.items.size(); ++i) {
    const auto end = next + std::ptrdiff_t(plan.items[i].logit_rows);
    drawn[i].assign(next, end);
    next = end;
  }
  return drawn;
}

void EngineRun::deliver(const StepPlan& plan, const DrawnTokens& drawn) {
  check(drawn.size() == plan.items.size(), "one list of tokens for each request of the step");
  const TimePoint now = input_.clock.now();
  for (size_t i = 0; i < drawn.size(); ++i) {
    const StepItem& item = plan.items[i];
    check(int64_t(drawn[i].size()) <= item.logit_rows, "at most one token for each row of logits");
    Generation& its = generation(*item.request);
    if (drawn[i].empty() || its.finished()) continue;
    const int64_t beyond_one = int64_t(its.accept(drawn[i], now)) - 1;
    latest_step().parts[i].accepted = beyond_one;
    furthest_[size_t(item.request->id)] += beyond_one;
  }
  latest_step().finished = input_.clock.now();
  input_.after_step({latest_step().finished, requests_, log_.steps});
}

RunLog EngineRun::finish() {
  log_.end = input_.clock.now();
  for (const Generation& generation : requests_) {
    RequestRecord& record = log_.requests.emplace_back(generation.record());
    if (!store_.block_size()) continue;
    record.preemptions = generation.request().preemptions;
    record.prefix_hit_tokens = generation.request().prefix_hit_tokens;
  }
  return std::move(log_);
}

void advance(const StepPlan& plan) {
  for (const StepItem& item : plan.items) item.request->num_computed = item.first + item.tokens;
}

StepItem catch_up(Request& request) { return {&request, request.num_computed, request.pending(), 1}; }

}  // namespace stagecraft
