#pragma once
/// @file
/// The safetensors format (github.com/huggingface/safetensors), read in place:
///
///     8 bytes    length n of the header, little-endian
///     n bytes    JSON: { "name": {"dtype": "BF16", "shape": [576, 1536], "data_offsets": [begin, end]}, ... }
///     the rest   the tensors' elements; offsets count from here
///
/// A model file is untrusted input. Whatever a header claims is checked before any use: a tensor that this reader hands
/// out lies inside the file, holds exactly the elements of its shape and is aligned to its element, so that no code
/// behind it has to ask again.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/number_types.h"
#include "stages/core/model_files/mapped_file.h"

namespace stagecraft {

/// One tensor of a file, in place.
struct StoredTensor {
  std::string dtype;               // as the file spells it: "BF16", "I64", ...
  std::optional<NumberType> type;  // none: an element type that weights cannot have here
  std::vector<int64_t> shape;      // outermost first; empty for a single number
  std::span<const std::byte> bytes;
};

using TensorMap = std::map<std::string, StoredTensor, std::less<>>;

/// The tensors of a safetensors file that lies in memory at `file` (aligned to 8 bytes at least). Throws BadInput whose
/// message begins with `source`, the file's name.
TensorMap parse_safetensors(std::span<const std::byte> file, const std::string& source);

/// A mapped file and its tensors.
class SafetensorsFile {
 public:
  /// Throws BadInput that names the file, and the tensor and the value where one is at fault.
  explicit SafetensorsFile(const std::filesystem::path& path)
      : file_(path), tensors_(parse_safetensors(file_.bytes(), path.string())) {}

  const TensorMap& tensors() const { return tensors_; }
  /// Null if the file has no such tensor.
  const StoredTensor* find(std::string_view name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
  }
  const MappedFile& file() const { return file_; }

 private:
  MappedFile file_;
  TensorMap tensors_;
};

}  // namespace stagecraft
