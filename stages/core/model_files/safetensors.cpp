/// @file
/// Reads the header of a safetensors file and believes nothing in it. Sizes are multiplied with a check for overflow;
/// the tensors must tile the data exactly, without gap, overlap or rest, as the format demands.
#include "stages/core/model_files/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "stages/core/json_fields.h"
#include "stages/core/model_files/quoted_name.h"
#include "stages/core/model_files/unique_keys.h"
#include "stages/core/model_files/with_hint.h"

namespace stagecraft {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian and are used in place");

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kLongestHeader = 100'000'000;  // the limit of the format's own library
constexpr std::string_view kMetadata = "__metadata__";
constexpr const char* kDamaged = "the file is damaged or was not copied in full: download it again";

struct ElementType {
  std::string_view name;
  int64_t bytes;
  std::optional<NumberType> type;
};

constexpr std::array<ElementType, 15> kElementTypes{{{"BF16", 2, NumberType::bf16},
                                                     {"F16", 2, NumberType::fp16},
                                                     {"F32", 4, NumberType::fp32},
                                                     {"F64", 8, {}},
                                                     {"F8_E4M3", 1, {}},
                                                     {"F8_E5M2", 1, {}},
                                                     {"BOOL", 1, {}},
                                                     {"I8", 1, {}},
                                                     {"U8", 1, {}},
                                                     {"I16", 2, {}},
                                                     {"U16", 2, {}},
                                                     {"I32", 4, {}},
                                                     {"U32", 4, {}},
                                                     {"I64", 8, {}},
                                                     {"U64", 8, {}}}};

/// The header's text, after the checks of its length.
std::string_view header_text(std::span<const std::byte> file, const std::string& source) {
  if (file.size() < kLengthBytes) {
    throw BadInput(fmt::format("{}: {} bytes are too short for a safetensors file", source, file.size()));
  }
  uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  const std::string_view rest(reinterpret_cast<const char*>(file.data()) + kLengthBytes, file.size() - kLengthBytes);
  if (std::memcmp(file.data(), "version ", kLengthBytes) == 0) {
    throw BadInput(fmt::format("{}: is a Git LFS pointer, not the weights themselves", source), "run: git lfs pull");
  }
  if (length > rest.size()) {
    throw BadInput(fmt::format("{}: header length {} exceeds the file ({} bytes)", source, length, file.size()));
  }
  if (length > kLongestHeader) {
    throw BadInput(fmt::format("{}: header length {} is above {}", source, length, kLongestHeader),
                   "check that this is a safetensors file");
  }
  return rest.substr(0, size_t(length));
}

const ElementType& element_type(const JsonField& dtype) {
  const auto known = std::find_if(kElementTypes.begin(), kElementTypes.end(),
                                  [&](const ElementType& type) { return type.name == dtype.text(); });
  if (known == kElementTypes.end()) {
    dtype.fail("must be an element type of safetensors", "convert the model to bf16, fp16 or fp32");
  }
  return *known;
}

std::vector<int64_t> read_shape(const JsonField& field) {
  std::vector<int64_t> shape;
  for (size_t i = 0; i < field.array().size(); ++i) shape.push_back(field.at(i).integer(0));
  return shape;
}

/// Bytes of a tensor of this shape.
int64_t bytes_of_shape(const std::vector<int64_t>& shape, int64_t element_bytes, const JsonField& field) {
  int64_t bytes = element_bytes;
  for (const int64_t length : shape) {
    if (__builtin_mul_overflow(bytes, length, &bytes)) {
      throw BadInput(fmt::format("{}: field {}: the shape ({}) has more elements than any file can hold", field.file(),
                                 quoted_name(field.path()), fmt::join(shape, ", ")));
    }
  }
  return bytes;
}

/// Where a tensor lies, in bytes from the start of the data.
struct Extent {
  int64_t begin, end;
  std::string name;

  bool operator<(const Extent& other) const { return std::tie(begin, end) < std::tie(other.begin, other.end); }
};

Extent read_extent(const JsonField& entry, std::string name, int64_t data_bytes) {
  const JsonField offsets = entry.at("data_offsets");
  if (offsets.array().size() != 2) offsets.fail("must be two numbers, begin and end");
  const int64_t begin = offsets.at(0).integer(0), end = offsets.at(1).integer(0);
  if (begin > end || end > data_bytes) {
    throw BadInput(fmt::format("{}: tensor {}: offsets [{}, {}] do not lie in the file's {} bytes of data",
                               entry.file(), quoted_name(name), begin, end, data_bytes));
  }
  return {begin, end, std::move(name)};
}

/// Each byte of the data belongs to exactly one tensor.
void check_tiling(std::vector<Extent> extents, int64_t data_bytes, const std::string& source) {
  std::sort(extents.begin(), extents.end());
  extents.push_back({data_bytes, data_bytes, "the end of the file"});
  int64_t covered = 0;
  for (const Extent& extent : extents) {
    if (extent.begin < covered) {
      throw BadInput(fmt::format("{}: tensor {}: offsets [{}, {}] overlap the tensor before it, which ends at {}",
                                 source, quoted_name(extent.name), extent.begin, extent.end, covered));
    }
    if (extent.begin > covered) {
      throw BadInput(fmt::format("{}: bytes {} to {} of the data belong to no tensor", source, covered, extent.begin));
    }
    covered = extent.end;
  }
}

/// The tensor that `entry` describes, whose bytes lie at `extent`.
StoredTensor read_tensor(const JsonField& entry, const Extent& extent, std::span<const std::byte> data,
                         size_t data_begin) {
  const ElementType& element = element_type(entry.at("dtype"));
  StoredTensor tensor{std::string(element.name), element.type, read_shape(entry.at("shape")), {}};
  const int64_t bytes = bytes_of_shape(tensor.shape, element.bytes, entry.at("shape"));
  const std::string shape = fmt::format("{} ({})", tensor.dtype, fmt::join(tensor.shape, ", "));
  if (bytes != extent.end - extent.begin) {
    throw BadInput(fmt::format("{}: tensor {}: {} takes {} bytes, but its offsets [{}, {}] hold {}", entry.file(),
                               quoted_name(extent.name), shape, bytes, extent.begin, extent.end,
                               extent.end - extent.begin));
  }
  // Weights are read in place through pointers to their elements; an address between two elements would be undefined.
  if (tensor.type && (int64_t(data_begin) + extent.begin) % element.bytes != 0) {
    throw BadInput(
        fmt::format("{}: tensor {}: {} begins at byte {} of the file, which is no multiple of {}", entry.file(),
                    quoted_name(extent.name), shape, int64_t(data_begin) + extent.begin, element.bytes),
        "save the model again with a current safetensors library, which aligns tensors");
  }
  tensor.bytes = data.subspan(size_t(extent.begin), size_t(bytes));
  return tensor;
}

TensorMap read_tensors(const JsonField& root, std::span<const std::byte> file, size_t data_begin) {
  const std::span<const std::byte> data = file.subspan(data_begin);
  TensorMap tensors;
  std::vector<Extent> extents;
  for (const auto& [name, ignored] : root.object().items()) {
    if (name == kMetadata) continue;  // free text for people
    const JsonField entry = root.at(name);
    extents.push_back(read_extent(entry, name, int64_t(data.size())));
    tensors.emplace(name, read_tensor(entry, extents.back(), data, data_begin));
  }
  check_tiling(std::move(extents), int64_t(data.size()), root.file());
  return tensors;
}

}  // namespace

TensorMap parse_safetensors(std::span<const std::byte> file, const std::string& source) {
  return with_hint(kDamaged, [&] {
    const std::string_view header = header_text(file, source);
    const nlohmann::json document = parse_json(header, source, UniqueKeys(source));
    return read_tensors(JsonField(document, source), file, kLengthBytes + header.size());
  });
}

}  // namespace stagecraft
