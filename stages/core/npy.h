#pragma once
/// @file
/// NumPy's array files, version 1.0, little-endian float32 in C order: how logits leave the program and goldens come
/// in.
///
///     "\x93NUMPY" 1 0 | header length, 16 bits | "{'descr': '<f4', 'fortran_order': False, 'shape': (70, 320), }" ...
///     \n | data
///
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

/// An array in memory. `values` has as many elements as the product of `shape`.
struct NpyArray {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

/// Writes `values` with `shape`. Throws Failure, naming `name`, if `out` cannot take it.
void write_npy(std::ostream& out, const std::string& name, std::span<const float> values,
               const std::vector<int64_t>& shape);

/// Reads a file as described above. Throws BadInput if it is missing, cut off, or something else.
NpyArray read_npy(const std::filesystem::path& path);

}  // namespace stagecraft
