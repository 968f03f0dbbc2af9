/// @file
/// Opens the weight files of a folder and joins their tables of tensors.
#include "stages/core/model_files/shard_index.h"

#include <utility>

#include "kernels/check.h"
#include "stages/core/json_fields.h"
#include "stages/core/model_files/quoted_name.h"
#include "stages/core/model_files/unique_keys.h"
#include "stages/core/model_files/with_hint.h"

namespace stagecraft {
namespace {

constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";

/// A name that cannot lead out of the folder.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

/// What to do about a folder without safetensors: depends on what lies there instead.
std::string hint_for_missing_weights(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const char* other : {"pytorch_model.bin", "pytorch_model.bin.index.json"}) {
    if (std::filesystem::exists(folder / other, ignored)) {
      return "the folder holds PyTorch weights; convert them to safetensors (save_pretrained does so)";
    }
  }
  return "download the model's .safetensors files into the folder";
}

std::map<std::string, std::string> read_weight_map(const JsonField& weight_map) {
  std::map<std::string, std::string> shards;
  for (const auto& [name, ignored] : weight_map.object().items()) {
    const JsonField shard = weight_map.at(name);
    if (!is_plain_name(shard.text())) {
      shard.fail("must be the plain name of a file in the same folder",
                 "do not use this index: fetch the original again");
    }
    shards.emplace(name, shard.text());
  }
  return shards;
}

}  // namespace

std::map<std::string, std::string> parse_shard_index(std::string_view text, const std::string& source) {
  return with_hint("fetch the index again, together with its shards", [&] {
    const nlohmann::json document = parse_json(text, source, UniqueKeys(source));
    return read_weight_map(JsonField(document, source).at("weight_map"));
  });
}

WeightFiles::WeightFiles(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::exists(folder / kSingleFile, ignored)) {
    source_ = folder / kSingleFile;
    open_single();
  } else if (std::filesystem::exists(folder / kIndexFile, ignored)) {
    source_ = folder / kIndexFile;
    open_shards();
  } else {
    throw BadInput(fmt::format("{}: holds neither {} nor {}", folder.string(), kSingleFile, kIndexFile),
                   hint_for_missing_weights(folder));
  }
}

void WeightFiles::open_single() {
  files_.push_back(std::make_shared<const SafetensorsFile>(source_));
  const SafetensorsFile& file = *files_.back();
  for (const auto& [name, tensor] : file.tensors()) tensors_.emplace(name, Entry{&tensor, &file.file().path()});
}

void WeightFiles::open_shards() {
  std::map<std::string, std::shared_ptr<const SafetensorsFile>> opened;
  for (const auto& [name, shard] : parse_shard_index(read_text_file(source_), source_.string())) {
    std::shared_ptr<const SafetensorsFile>& file = opened[shard];
    if (!file) {
      const std::filesystem::path path = source_.parent_path() / shard;
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored)) {
        throw BadInput(
            fmt::format("{}: names the shard {}, which is not in the folder", source_.string(), quoted_name(shard)),
            "download all of the model's .safetensors files");
      }
      file = std::make_shared<const SafetensorsFile>(path);
      files_.push_back(file);
    }
    const StoredTensor* const tensor = file->find(name);
    if (tensor == nullptr) {
      throw BadInput(fmt::format("{}: places tensor {} in {}, which does not hold it", source_.string(),
                                 quoted_name(name), quoted_name(shard)),
                     "index and shards belong to different models: download them together");
    }
    tensors_.emplace(name, Entry{tensor, &file->file().path()});
  }
}

}  // namespace stagecraft
