#pragma once
/// @file
/// A whole model's forward pass: one token after a short and a long context (decoding; behind a block table, too), and a
/// prompt of 512 tokens (prefill).
#include <memory>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "stages/bench/measure.h"
#include "stages/core/model.h"

namespace stagecraft::bench {

/// One model on one device, with room for the longest pass that is measured.
class ForwardBench {
 public:
  ForwardBench(std::shared_ptr<cpu::CpuDevice> device, const ModelConfig& config, const ModelWeights& weights);

  /// Computes the prompt's logits, those of its last token.
  void prefill();
  int prompt_tokens() const { return prompt_tokens_; }
  /// What a pass must hold at least: K/V of the prompt, and one row of logits.
  int64_t kv_and_logits_bytes() const;

  void add_to(std::vector<Benchmark>& all, const std::shared_ptr<ForwardBench>& self) const;

 private:
  void forward(const ForwardBatch& batch);
  double flops(int first_position, int tokens) const;

  std::shared_ptr<cpu::CpuDevice> device_;
  int prompt_tokens_;
  int decode_position_;
  Model model_;
  KvPool pool_;
};

}  // namespace stagecraft::bench
