/// @file
/// Small things that reports need.
#include "stages/core/run_report.h"

#include <fstream>

#include <fmt/format.h>

namespace stagecraft {

std::optional<std::string> cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return std::nullopt;
}

std::string with_commas(int64_t number) {
  constexpr int kGroup = 3;
  std::string text = std::to_string(number);
  const int first_digit = number < 0 ? 1 : 0;
  for (int at = int(text.size()) - kGroup; at > first_digit; at -= kGroup) text.insert(size_t(at), ",");
  return text;
}

std::string percent(double part, double whole) { return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0.0); }

}  // namespace stagecraft
