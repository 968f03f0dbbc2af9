#pragma once
/// @file
/// From code addresses of this program to files, lines and names of functions.
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace simt::runtime {

struct SourceLine {
  std::string file;  // empty: unknown
  int line = 0;
};

/// Looks up many addresses at once with addr2line (GNU binutils, which g++ needs anyway): one child process for all.
/// Where it is missing, or the code was compiled without -g, all lines are unknown.
class SourceLines {
 public:
  /// `addresses` are return addresses: the call just before each is looked up.
  explicit SourceLines(const std::vector<uintptr_t>& addresses);

  const SourceLine& at(uintptr_t address) const;

 private:
  void read(FILE* output, uintptr_t load_address);

  std::map<uintptr_t, SourceLine> lines_;
};

/// The function that begins at `function`, as written in the source, without parameters; "kernel" if unknown.
std::string function_name(const void* function);

}  // namespace simt::runtime
