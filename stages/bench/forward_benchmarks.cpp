#include "stages/bench/forward_benchmarks.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>

namespace stagecraft::bench {
namespace {

constexpr int64_t kPromptTokens = 512;
constexpr int kDecodeAfter = 64;  // tokens
constexpr int32_t kBlockSize = 16;

/// A batch of one sequence at positions first .. first + tokens - 1; the logits of its last token are wanted.
ForwardBatch one_sequence(int first, int tokens, int64_t vocabulary) {
  ForwardBatch batch;
  for (int i = 0; i < tokens; ++i) {
    const int position = first + i;
    batch.tokens.push_back(TokenId((position * 7919 + 11) % vocabulary));
    batch.positions.push_back(position);
    batch.slots.push_back(position);
  }
  batch.query_start = {0, tokens};
  batch.logit_rows = {tokens - 1};
  batch.first_slot = {0};
  return batch;
}

/// The same behind a block table that has all of the pool's blocks in random order.
ForwardBatch in_blocks(ForwardBatch batch, int64_t pool_slots) {
  batch.first_slot.clear();
  batch.block_size = kBlockSize;
  batch.table_stride = int32_t(pool_slots / kBlockSize);
  batch.block_table.resize(size_t(batch.table_stride));
  std::iota(batch.block_table.begin(), batch.block_table.end(), 0);
  std::shuffle(batch.block_table.begin(), batch.block_table.end(), std::mt19937(1));
  const PagedAddress address{batch.block_table.data(), batch.table_stride, block_shift_of(kBlockSize)};
  std::transform(batch.positions.begin(), batch.positions.end(), batch.slots.begin(),
                 [&](int32_t position) { return address.slot(0, position); });
  return batch;
}

}  // namespace

ForwardBench::ForwardBench(std::shared_ptr<cpu::CpuDevice> device, const ModelConfig& config,
                           const ModelWeights& weights)
    : device_(std::move(device)),
      prompt_tokens_(int(std::min(kPromptTokens, config.context))),
      decode_position_(std::min(kDecodeAfter, prompt_tokens_ - 1)),
      model_(*device_, config, weights, prompt_tokens_),
      pool_(*device_, config, NumberType::bf16, (prompt_tokens_ + kBlockSize - 1) / kBlockSize * kBlockSize) {}

void ForwardBench::forward(const ForwardBatch& batch) { model_.forward(batch, pool_); }

void ForwardBench::prefill() { forward(one_sequence(0, prompt_tokens_, model_.config().vocabulary)); }

int64_t ForwardBench::kv_and_logits_bytes() const {
  return pool_.bytes() + model_.config().vocabulary * int64_t(sizeof(float));
}

/// Two for each weight and token, the head's for the last token only; and attention's scores and values.
double ForwardBench::flops(int first_position, int tokens) const {
  const ModelConfig& config = model_.config();
  const double head = double(config.vocabulary) * double(config.hidden_size);
  const double embedding = config.tied_head ? 0 : head;
  const double layers = double(model_.weights().parameters) - head - embedding;
  double visible = 0;
  for (int i = 0; i < tokens; ++i) visible += first_position + i + 1;
  const double attention = 4.0 * visible * config.heads * config.head_dim * config.layers;
  return 2.0 * (layers * tokens + head) + attention;
}

void ForwardBench::add_to(std::vector<Benchmark>& all, const std::shared_ptr<ForwardBench>& self) const {
  const std::string target(device_->target());
  const double weight_bytes = double(model_.weights().bytes_per_forward);
  const auto kv_bytes = double(model_.config().kv_bytes_per_token(NumberType::bf16));
  const auto add_decode = [&](const std::string& where, const ForwardBatch& batch) {
    const int position = batch.positions.front();
    all.push_back({"forward", fmt::format("1 token after {}{}", position, where), target, device_->threads(),
                   weight_bytes + kv_bytes * (position + 1), flops(position, 1), 1, [=] { self->forward(batch); }});
  };
  const ForwardBatch last = one_sequence(prompt_tokens_ - 1, 1, model_.config().vocabulary);
  add_decode("", one_sequence(decode_position_, 1, model_.config().vocabulary));
  add_decode("", last);
  // The blocks hold the prompt's keys and values in another order, so time is all that this one is good for.
  add_decode(fmt::format(", blocks of {}", kBlockSize), in_blocks(last, pool_.slots()));
  all.push_back({"forward", fmt::format("{} tokens", prompt_tokens_), target, device_->threads(),
                 weight_bytes + kv_bytes * prompt_tokens_, flops(0, prompt_tokens_), double(prompt_tokens_),
                 [self] { self->prefill(); }});
}

}  // namespace stagecraft::bench
