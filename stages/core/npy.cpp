/// @file
/// The header is a Python literal with fixed keys; only the shape is really parsed.
#include "stages/core/npy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

constexpr std::string_view kMagic{"\x93NUMPY\x01\x00", 8};
constexpr size_t kPreamble = kMagic.size() + 2;  // and the header's length
constexpr size_t kAlignment = 64;                // of the data in the file
constexpr std::string_view kHint = "NumPy's save(array.astype('<f4')) writes what can be read here";

std::string header_of(const std::vector<int64_t>& shape) {
  std::string axes;
  for (const int64_t axis : shape) axes += fmt::format("{}, ", axis);
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", axes);
  const size_t used = kPreamble + header.size() + 1;
  header.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  return header + '\n';
}

BadInput bad(const std::string& name, std::string_view what) {
  return BadInput(fmt::format("{}: {}", name, what), std::string(kHint));
}

/// The axes between the parentheses after 'shape'.
std::vector<int64_t> parse_shape(std::string_view header, const std::string& name) {
  const size_t key = header.find("'shape':");
  const size_t open = header.find('(', key), close = header.find(')', open);
  if (key == std::string_view::npos || close == std::string_view::npos) throw bad(name, "its header has no shape");

  std::vector<int64_t> shape;
  std::string_view axes = header.substr(open + 1, close - open - 1);
  while (!axes.empty()) {
    const size_t comma = std::min(axes.find(','), axes.size());
    std::string_view axis = axes.substr(0, comma);
    axis.remove_prefix(std::min(axis.find_first_not_of(' '), axis.size()));
    if (!axis.empty()) {
      shape.push_back(parse_number<int64_t>(name + ": shape", axis, 0, std::numeric_limits<int32_t>::max()));
    }
    axes.remove_prefix(std::min(comma + 1, axes.size()));
  }
  return shape;
}

/// Elements of an array of `shape` that fits into `bytes`; larger ones are refused before a product can overflow.
size_t elements_of(const std::vector<int64_t>& shape, size_t bytes, const std::string& name) {
  size_t elements = 1;
  for (const int64_t axis : shape) {
    if (axis != 0 && elements > bytes / size_t(axis)) throw bad(name, "its data is shorter than its shape");
    elements *= size_t(axis);
  }
  if (elements * sizeof(float) != bytes) throw bad(name, "its data does not have the length of its shape");
  return elements;
}

}  // namespace

void write_npy(std::ostream& out, const std::string& name, std::span<const float> values,
               const std::vector<int64_t>& shape) {
  const std::string header = header_of(shape);
  const uint16_t length = uint16_t(header.size());
  out.write(kMagic.data(), std::streamsize(kMagic.size()));
  out.write(reinterpret_cast<const char*>(&length), sizeof length);
  out << header;
  out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size_bytes()));
  if (!out.flush()) throw Failure(fmt::format("cannot write '{}'", name), "is the disk full?");
}

NpyArray read_npy(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw bad(name, "cannot be read");
  if (!bytes.starts_with(kMagic) || bytes.size() < kPreamble) throw bad(name, "not a version 1.0 .npy file");

  uint16_t length;
  std::memcpy(&length, bytes.data() + kMagic.size(), sizeof length);
  if (bytes.size() - kPreamble < length) throw bad(name, "its header is cut off");
  const std::string_view header = std::string_view(bytes).substr(kPreamble, length);
  if (header.find("'descr': '<f4'") == std::string_view::npos) throw bad(name, "not an array of little-endian float32");
  if (header.find("'fortran_order': False") == std::string_view::npos) throw bad(name, "not in C order");

  NpyArray array;
  array.shape = parse_shape(header, name);
  const std::string_view data = std::string_view(bytes).substr(kPreamble + length);
  array.values.resize(elements_of(array.shape, data.size(), name));
  if (!data.empty()) std::memcpy(array.values.data(), data.data(), data.size());  // an empty vector has no memory
  return array;
}

}  // namespace stagecraft
