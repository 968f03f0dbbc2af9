/// @file
/// Of this program itself. labs/support/line_client.cpp defines the same functions for a process that may start no
/// other.
#include "kernels/simulator/runtime/source_lines.h"

#include <unistd.h>

#include "kernels/simulator/runtime/symbols.h"

namespace simt::runtime {
namespace {

/// The program's path, or empty. (/proc/self/exe would be addr2line itself in the child.)
std::string program_path() {
  std::string path(4096, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return path;
}

}  // namespace

SourceLines::SourceLines(const std::vector<uintptr_t>& addresses) {
  for (const uintptr_t address : addresses) lines_[address];
  const std::string program = program_path();
  if (program.empty()) return;
  const uintptr_t load_address = Symbols::of_this_program().load_address();
  std::vector<uintptr_t> in_file;
  for (const auto& [address, line] : lines_) in_file.push_back(address - load_address - 1);
  for (const auto& [address, line] : addr2line(program, in_file)) lines_[address + load_address + 1] = line;
}

const SourceLine& SourceLines::at(uintptr_t address) const { return lines_.at(address); }

std::string function_name(const void* function) {
  const Symbol* symbol = Symbols::of_this_program().function_at(reinterpret_cast<uintptr_t>(function));
  return symbol ? readable(symbol->name) : "kernel";
}

}  // namespace simt::runtime
