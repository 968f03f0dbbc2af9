#include "kernels/simulator/runtime/addr2line.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

namespace simt::runtime {
namespace {

constexpr size_t kAddressesPerCall = 1000;  // a command line has a limit

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

void read(FILE* output, std::map<uintptr_t, SourceLine>& lines) {
  SourceLine* current = nullptr;
  char buffer[8192];
  while (fgets(buffer, sizeof buffer, output)) {
    std::string text(buffer);
    if (const size_t end = text.find_first_of("\n"); end != std::string::npos) text.erase(end);
    if (text.compare(0, 2, "0x") == 0) {
      const auto known = lines.find(std::strtoull(text.c_str(), nullptr, 16));
      current = known == lines.end() ? nullptr : &known->second;
    } else if (current && (current->file.empty() || is_simulator_header(current->file))) {
      const SourceLine frame = parsed(text);
      if (!frame.file.empty()) *current = frame;
    }
  }
}

}  // namespace

std::map<uintptr_t, SourceLine> addr2line(const std::string& program, const std::vector<uintptr_t>& addresses) {
  std::map<uintptr_t, SourceLine> lines;
  for (size_t next = 0; next < addresses.size();) {
    // -a prints each address before its frames, -i all frames, the innermost first.
    std::string command = fmt::format("addr2line -a -i -e {}", quoted(program));
    for (size_t i = 0; i < kAddressesPerCall && next < addresses.size(); ++i, ++next) {
      lines[addresses[next]];
      command += fmt::format(" {:#x}", addresses[next]);
    }
    command += " 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
    if (!output) return lines;
    read(output.get(), lines);
  }
  return lines;
}

}  // namespace simt::runtime
