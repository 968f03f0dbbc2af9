#include "kernels/simulator/runtime/source_lines.h"

#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "kernels/simulator/runtime/symbols.h"

namespace simt::runtime {
namespace {

constexpr size_t kAddressesPerCall = 1000;  // a command line has a limit

/// The program's path, or empty. (/proc/self/exe would be addr2line itself in the child.)
std::string program_path() {
  std::string path(4096, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return path;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Frames of inlined functions in the simulator's own headers are not what the reader looks for.
bool is_simulator_header(const std::string& file) {
  return file.find("/kernels/simulator/") != std::string::npos && file.size() > 2 &&
         file.compare(file.size() - 2, 2, ".h") == 0;
}

/// "dir/file.cu:12 (discriminator 3)" as file and line; an unknown one is "??:0" or "??:?".
SourceLine parsed(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || text.compare(0, 2, "??") == 0) return {};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

}  // namespace

SourceLines::SourceLines(const std::vector<uintptr_t>& addresses) {
  for (const uintptr_t address : addresses) lines_[address];
  const std::string program = program_path();
  if (program.empty()) return;
  const uintptr_t load_address = Symbols::of_this_program().load_address();
  for (auto next = lines_.begin(); next != lines_.end();) {
    // -a prints each address before its frames, -i all frames, the innermost first.
    std::string command = fmt::format("addr2line -a -i -e {}", quoted(program));
    for (size_t i = 0; i < kAddressesPerCall && next != lines_.end(); ++i, ++next)
      command += fmt::format(" {:#x}", next->first - load_address - 1);
    command += " 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
    if (!output) return;
    read(output.get(), load_address);
  }
}

void SourceLines::read(FILE* output, uintptr_t load_address) {
  SourceLine* current = nullptr;
  char buffer[8192];
  while (fgets(buffer, sizeof buffer, output)) {
    std::string text(buffer);
    if (const size_t end = text.find_first_of("\n"); end != std::string::npos) text.erase(end);
    if (text.compare(0, 2, "0x") == 0) {
      const auto known = lines_.find(std::strtoull(text.c_str(), nullptr, 16) + load_address + 1);
      current = known == lines_.end() ? nullptr : &known->second;
    } else if (current && (current->file.empty() || is_simulator_header(current->file))) {
      const SourceLine frame = parsed(text);
      if (!frame.file.empty()) *current = frame;
    }
  }
}

const SourceLine& SourceLines::at(uintptr_t address) const { return lines_.at(address); }

std::string function_name(const void* function) {
  const Symbol* symbol = Symbols::of_this_program().function_at(reinterpret_cast<uintptr_t>(function));
  return symbol ? readable(symbol->name) : "kernel";
}

}  // namespace simt::runtime
