/// @file
/// The parts, and the order in which they depend on each other.
#include "stages/6_speculative_decoding/draft_model.h"

#include <algorithm>

#include "kernels/check.h"
#include "stages/6_speculative_decoding/same_tokenizer.h"
#include "stages/core/weights.h"

namespace stagecraft {
namespace {

/// A ModelDrafter that owns its pool and its store, and its share of the model.
class OwningModelDrafter final : public Drafter {
 public:
  OwningModelDrafter(std::shared_ptr<Model> model, KvPool pool, const PagedKvShape& shape,
                     const ModelDrafterOptions& options)
      : model_(std::move(model)), pool_(std::move(pool)), store_(shape), drafter_(*model_, pool_, store_, options) {}

  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) override {
    return drafter_.propose(requests, lengths);
  }
  void forget(const Request& request) override { drafter_.forget(request); }
  std::string describe() const override { return drafter_.describe(); }
  DraftWork work() const override { return drafter_.work(); }

 private:
  std::shared_ptr<Model> model_;
  KvPool pool_;
  PagedKvStore store_;
  ModelDrafter drafter_;
};

}  // namespace

DraftModel::DraftModel(const DraftModelOptions& options, const std::filesystem::path& target)
    : options_(options), config_(read_model_config(options.folder)) {
  check_same_tokenizer(target, options.folder);
}

std::shared_ptr<Model> DraftModel::model_on(Device& device, const std::vector<Job>& jobs) {
  const int64_t positions = std::min(most_stored(jobs), config_.context);
  std::shared_ptr<Model> model = model_.lock();
  if (model) check(&model->device() == &device, "drafters that live at the same time are on one device");
  if (!model || positions > max_positions_) {
    max_positions_ = positions;
    model = std::make_shared<Model>(device, config_, load_weights(options_.folder, config_), positions);
    model_ = model;
  }
  return model;
}

std::unique_ptr<Drafter> DraftModel::drafter_for(const RunInput& input) {
  std::shared_ptr<Model> model = model_on(input.model.device(), input.jobs);
  const NumberType type = input.pool.type();
  const KvMemory memory = kv_memory_of(*model, type);
  const int64_t blocks = pool_blocks(options_.pool, input.jobs, memory), block_size = options_.pool.block_size;
  const PagedKvShape shape{.blocks = blocks,
                           .block_size = block_size,
                           .bytes_per_token = memory.bytes_per_token,
                           .prefix_cache = false};  // drafts are never committed to it
  return std::make_unique<OwningModelDrafter>(
      model, KvPool(input.model.device(), config_, type, blocks * block_size), shape,
      ModelDrafterOptions{
          .noise = options_.noise, .vocabulary = input.model.config().vocabulary, .max_positions = max_positions_});
}

}  // namespace stagecraft
