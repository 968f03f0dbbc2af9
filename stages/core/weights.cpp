/// @file
/// Finds each weight of the configuration in the mapped files and checks its type and shape.
#include "stages/core/weights.h"

#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/ranges.h>

#include "kernels/check.h"
#include "stages/core/model_files/finite_scan.h"
#include "stages/core/model_files/quoted_name.h"
#include "stages/core/model_files/shard_index.h"
#include "stages/core/weight_layout.h"

namespace stagecraft {
namespace {

constexpr std::string_view kEmbeddingName = "model.embed_tokens.weight";
constexpr std::string_view kHeadName = "lm_head.weight";
constexpr std::string_view kOldFrequencies = "rotary_emb.inv_freq";  // old files hold them; config.json is what counts

std::vector<int64_t> dimensions(WeightShape shape) {
  if (shape.columns == WeightShape::kVector) return {shape.rows};
  return {shape.rows, shape.columns};
}

/// A weight of the model in the file that holds it.
struct FoundWeight {
  std::string name;
  WeightView view;
  int64_t elements;
};

FoundWeight find_weight(const WeightFiles& files, const std::string& name, WeightShape shape) {
  const auto found = files.tensors().find(name);
  if (found == files.tensors().end()) {
    const bool head = name == kHeadName;
    throw BadInput(fmt::format("{}: tensor {} is missing", files.source().string(), quoted_name(name)),
                   head ? "if the model's head is its embedding table, set \"tie_word_embeddings\": true in config.json"
                        : "config.json and the weights belong to different models, or the download is not complete");
  }
  const StoredTensor& tensor = *found->second.tensor;
  const std::string where = fmt::format("{}: tensor {}", found->second.file->string(), quoted_name(name));
  if (!tensor.type) {
    throw BadInput(fmt::format("{}: weights of type {} are not supported", where, tensor.dtype),
                   "convert the model to bf16, fp16 or fp32");
  }
  if (tensor.shape != dimensions(shape)) {
    throw BadInput(fmt::format("{}: shape ({}), where config.json asks for ({})", where, fmt::join(tensor.shape, ", "),
                               fmt::join(dimensions(shape), ", ")),
                   "config.json and the weights belong to different models: download them together");
  }
  return {name, {tensor.bytes.data(), *tensor.type}, shape.elements()};
}

/// Sizes of all that is used. A forward pass of one token reads one row of the embedding table, and all of the head.
void add_totals(ModelWeights& weights, const ModelConfig& config, const std::vector<FoundWeight>& found) {
  for (const FoundWeight& weight : found) {
    weights.parameters += weight.elements;
    weights.bytes += weight.elements * bytes_of(weight.view.type);
  }
  weights.bytes_per_forward = weights.bytes;
  if (!config.tied_head) {
    weights.bytes_per_forward -= (config.vocabulary - 1) * config.hidden_size * bytes_of(weights.embedding.type);
  }
}

/// One warning for each tensor with NaN or infinite elements.
void warn_about_nonfinite(ModelWeights& weights, const std::vector<FoundWeight>& found, const LoadProgress& progress) {
  std::vector<ScanItem> items;
  items.reserve(found.size());
  for (const FoundWeight& weight : found) items.push_back({weight.view, weight.elements});
  const std::vector<int64_t> counts = count_nonfinite(items, progress);
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    weights.warnings.push_back(fmt::format("{}: {} of {} weights are NaN or infinite; the output will be of no use",
                                           found[i].name, counts[i], found[i].elements));
  }
}

/// Tensors that nothing reads may stand for arithmetic that is not done, such as a bias unknown to config.json.
void warn_about_unused(ModelWeights& weights, const WeightFiles& files, const std::vector<FoundWeight>& found) {
  std::set<std::string_view> used{kHeadName};  // a head beside a tied one is judged by warn_about_second_head
  for (const FoundWeight& weight : found) used.insert(weight.name);
  std::vector<std::string> unused;
  for (const auto& [name, entry] : files.tensors()) {
    if (!used.contains(name) && !std::string_view(name).ends_with(kOldFrequencies)) unused.push_back(quoted_name(name));
  }
  if (unused.empty()) return;
  weights.warnings.push_back(
      fmt::format("{}: {} tensors are not used, such as {}", files.source().string(), unused.size(), unused.front()));
}

/// Files may hold a head although it is tied: a copy of the embedding is harmless, anything else a contradiction.
void warn_about_second_head(ModelWeights& weights, const WeightFiles& files) {
  const auto head = files.tensors().find(kHeadName), embedding = files.tensors().find(kEmbeddingName);
  if (head == files.tensors().end()) return;
  const StoredTensor &a = *head->second.tensor, &b = *embedding->second.tensor;
  const bool same_size = a.dtype == b.dtype && a.bytes.size() == b.bytes.size();
  if (same_size && std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0) return;
  weights.warnings.push_back(fmt::format("{}: {} differs from {} but is not used: config.json says tie_word_embeddings",
                                         head->second.file->string(), kHeadName, kEmbeddingName));
}

}  // namespace

ModelWeights load_weights(const std::filesystem::path& folder, const ModelConfig& config, const LoadOptions& options) {
  const WeightFiles files(folder);
  ModelWeights weights;
  weights.layers.resize(size_t(config.layers));
  std::vector<FoundWeight> found;
  for_each_weight(weights, config, [&](WeightView& view, const std::string& name, WeightShape shape) {
    found.push_back(find_weight(files, name, shape));
    view = found.back().view;
  });
  weights.type = weights.embedding.type;
  add_totals(weights, config, found);
  warn_about_unused(weights, files, found);
  if (config.tied_head) {
    weights.head = weights.embedding;
    warn_about_second_head(weights, files);
  }
  if (options.scan_for_nan) {
    for (const auto& file : files.files()) file->file().prefetch();
    warn_about_nonfinite(weights, found, options.progress);
  }
  weights.files = files.files();
  return weights;
}

}  // namespace stagecraft
