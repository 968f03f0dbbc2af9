#pragma once
/// @file
/// From code addresses of this program to files, lines and names of functions.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/simulator/runtime/addr2line.h"

namespace simt::runtime {

/// Looks up many addresses at once.
class SourceLines {
 public:
  /// `addresses` are return addresses: the call just before each is looked up.
  explicit SourceLines(const std::vector<uintptr_t>& addresses);

  const SourceLine& at(uintptr_t address) const;

 private:
  std::map<uintptr_t, SourceLine> lines_;
};

/// The function that begins at `function`, as written in the source, without parameters; "kernel" if unknown.
std::string function_name(const void* function);

}  // namespace simt::runtime
