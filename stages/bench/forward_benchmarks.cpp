#include "stages/bench/forward_benchmarks.h"

#include <algorithm>

#include <fmt/format.h>

namespace stagecraft::bench {
namespace {

constexpr int64_t kPromptTokens = 512;
constexpr int kDecodeAfter = 64;  // tokens

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

}  // namespace

ForwardBench::ForwardBench(std::shared_ptr<cpu::CpuDevice> device, const ModelConfig& config,
                           const ModelWeights& weights)
    : device_(std::move(device)),
      prompt_tokens_(int(std::min(kPromptTokens, config.context))),
      decode_position_(std::min(kDecodeAfter, prompt_tokens_ - 1)),
      model_(*device_, config, weights, prompt_tokens_),
      pool_(*device_, config, NumberType::bf16, prompt_tokens_) {}

void ForwardBench::prefill() { model_.forward(one_sequence(0, prompt_tokens_, model_.config().vocabulary), pool_); }

void ForwardBench::decode() { model_.forward(one_sequence(decode_position_, 1, model_.config().vocabulary), pool_); }

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
  all.push_back({"forward", fmt::format("1 token after {}", decode_position_), target, device_->threads(),
                 weight_bytes + kv_bytes * (decode_position_ + 1), flops(decode_position_, 1), 1,
                 [self] { self->decode(); }});
  all.push_back({"forward", fmt::format("{} tokens", prompt_tokens_), target, device_->threads(),
                 weight_bytes + kv_bytes * prompt_tokens_, flops(0, prompt_tokens_), double(prompt_tokens_),
                 [self] { self->prefill(); }});
}

}  // namespace stagecraft::bench
