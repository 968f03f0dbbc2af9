#pragma once
/// @file
/// Which files of a model folder hold its weights: model.safetensors, or the shards that model.safetensors.index.json
/// names.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stages/core/model_files/safetensors.h"

namespace stagecraft {

/// Tensor name to file name, from the text of a model.safetensors.index.json. A file name is a plain name inside the
/// folder: one with a path in it is refused, since a downloaded index has no business elsewhere. `source` begins each
/// message.
std::map<std::string, std::string> parse_shard_index(std::string_view text, const std::string& source);

/// All weight files of a folder, opened, with one table of tensors over them.
class WeightFiles {
 public:
  /// As Hugging Face does, model.safetensors goes before an index. Throws BadInput where neither is there, where a
  /// shard is absent, and where a shard lacks a tensor that the index places in it.
  explicit WeightFiles(const std::filesystem::path& folder);

  struct Entry {
    const StoredTensor* tensor;
    const std::filesystem::path* file;
  };

  /// By tensor name.
  const std::map<std::string, Entry, std::less<>>& tensors() const { return tensors_; }
  const std::vector<std::shared_ptr<const SafetensorsFile>>& files() const { return files_; }
  /// What a message about a missing tensor names: the single file, or the index.
  const std::filesystem::path& source() const { return source_; }

 private:
  void open_single();
  void open_shards();

  std::filesystem::path source_;
  std::vector<std::shared_ptr<const SafetensorsFile>> files_;
  std::map<std::string, Entry, std::less<>> tensors_;
};

}  // namespace stagecraft
