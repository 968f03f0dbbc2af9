#include <fmt/format.h>

#include "kernels/simulator/profile.h"

namespace simt {
namespace {

double ratio(uint64_t a, uint64_t b) { return b == 0 ? 0.0 : double(a) / double(b); }

std::string base_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// The columns from "requests" on. Moved and ideal are for one request: sectors, or wavefronts.
std::string columns(MemoryOperation operation, const MemoryCounts& counts) {
  const double efficiency = 100.0 * ratio(counts.ideal, counts.moved);
  return fmt::format("{:<14} {:>10} {:>6.1f} {:>12} {:>8.2f} {:>8.2f} {:>6.0f}%\n", name_of(operation), counts.requests,
                     ratio(counts.lanes, counts.requests), counts.bytes, ratio(counts.moved, counts.requests),
                     ratio(counts.ideal, counts.requests), efficiency);
}

}  // namespace

std::string profile_table(const std::vector<KernelProfile>& kernels) {
  std::string table;
  for (const KernelProfile& kernel : kernels) {
    table += fmt::format("{}: {} launches, {} blocks, {} threads\n", kernel.name, kernel.launches, kernel.blocks,
                         kernel.threads);
    table += fmt::format("  {} barriers, {} warp barriers, {} shuffles and votes\n", kernel.barriers,
                         kernel.warp_barriers, kernel.shuffles);
    table += fmt::format("  {:<28} {:<14} {:>10} {:>6} {:>12} {:>8} {:>8} {:>7}\n", "", "", "requests", "lanes",
                         "bytes", "moved", "ideal", "good");
    for (int i = 0; i < kMemoryOperations; ++i)
      if (kernel.memory[i].requests != 0)
        table += fmt::format("  {:<28} {}", "all lines", columns(MemoryOperation(i), kernel.memory[i]));
    for (const LineProfile& line : kernel.lines) {
      const std::string place = line.file.empty() ? "?" : fmt::format("{}:{}", base_name(line.file), line.line);
      table += fmt::format("  {:<28} {}", place, columns(line.operation, line.counts));
    }
    table += "\n";
  }
  if (!table.empty())
    table +=
        "moved and ideal are per request: sectors of 32 bytes for global memory, wavefronts for shared memory;\n"
        "lanes is how many of the 32 took part on average; good is ideal / moved.\n";
  return table;
}

}  // namespace simt
