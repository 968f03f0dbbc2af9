/// @file
/// Two small files of Linux.
#include "kernels/host_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace stagecraft {
namespace {

constexpr int64_t kKib = 1024;
constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

/// "MemAvailable:   12345 kB": free, and what the page cache would give back.
int64_t available_of(const std::filesystem::path& meminfo) {
  std::ifstream file(meminfo);
  std::string key, unit;
  for (int64_t kib = 0; file >> key >> kib; std::getline(file, unit)) {
    if (key == "MemAvailable:") return kib * kKib;
  }
  return kUnlimited;
}

std::optional<int64_t> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

}  // namespace

int64_t free_host_memory(const std::filesystem::path& meminfo, const std::filesystem::path& control_group) {
  const std::optional<int64_t> most = number_in(control_group / "memory.max"),
                               taken = number_in(control_group / "memory.current");
  const int64_t left = most && taken ? std::max<int64_t>(*most - *taken, 0) : kUnlimited;
  return std::min(available_of(meminfo), left);
}

int64_t free_host_memory() { return free_host_memory("/proc/meminfo", "/sys/fs/cgroup"); }

}  // namespace stagecraft
