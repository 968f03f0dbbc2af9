#include "stages/bench/memory_use.h"

#include <fstream>
#include <string>

namespace stagecraft::bench {

std::optional<int64_t> peak_memory() {
  std::ifstream status("/proc/self/status");
  constexpr int64_t kBytesPerUnit = 1024;  // the file counts in kB
  for (std::string key; status >> key;) {
    if (key != "VmHWM:") continue;
    if (int64_t units; status >> units) return units * kBytesPerUnit;
  }
  return std::nullopt;
}

}  // namespace stagecraft::bench
