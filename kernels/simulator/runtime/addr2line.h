#pragma once
/// @file
/// Files and lines of code addresses, from addr2line (GNU binutils, which g++ needs anyway).
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace simt::runtime {

struct SourceLine {
  std::string file;  // empty: unknown
  int line = 0;
};

/// The lines of `addresses` in the file `program`, as written in it (before it is loaded). One child process for many.
/// Where addr2line is missing, or the code was compiled without -g, all lines are unknown.
std::map<uintptr_t, SourceLine> addr2line(const std::string& program, const std::vector<uintptr_t>& addresses);

}  // namespace simt::runtime
