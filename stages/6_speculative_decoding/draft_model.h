#pragma once
/// @file
/// A draft model with all that it needs to draft for a run: weights, a KV pool of its own, and pages in it.
#include <filesystem>
#include <memory>
#include <optional>

#include "stages/5_paged_attention/paged_pool.h"
#include "stages/6_speculative_decoding/model_drafter.h"

namespace stagecraft {

struct DraftModelOptions {
  std::filesystem::path folder;
  PagedPoolOptions pool;  // of the draft model's own K/V
  ModelDrafterOptions::Noise noise = ModelDrafterOptions::Noise::coupled;
};

/// Makes a drafter for each run. Drafters that live at the same time share the weights, which are read for the first of
/// them and go with the last: they lie on the device of a run, and must not outlive it.
class DraftModel {
 public:
  /// Reads the draft model's config.json. Throws BadInput if it is no model, or its tokenizer is not that of the model in
  /// `target`.
  DraftModel(const DraftModelOptions& options, const std::filesystem::path& target);

  const ModelConfig& config() const { return config_; }

  /// A drafter with an empty cache, for a run of `input`.
  std::unique_ptr<Drafter> drafter_for(const RunInput& input);

 private:
  std::shared_ptr<Model> model_on(Device& device, const std::vector<Job>& jobs);

  DraftModelOptions options_;
  ModelConfig config_;
  int64_t max_positions_ = 0;
  std::weak_ptr<Model> model_;  // of the drafters
};

}  // namespace stagecraft
