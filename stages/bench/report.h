#pragma once
/// @file
/// What was measured, as a table for people and as JSON. Each result stands beside the limit that it runs into: memory or
/// arithmetic, whichever needs longer for the work that cannot be avoided.
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "stages/bench/measure.h"
#include "stages/bench/model_pages.h"

namespace stagecraft::bench {

struct MemoryUse {
  int64_t peak_bytes;    // of the process after its first 512-token pass
  int64_t needed_bytes;  // model file, K/V and logits
};

struct BenchReport {
  std::string cpu;
  std::string model;
  std::vector<Benchmark> benchmarks;
  std::vector<Timing> timings;  // (benchmarks)
  std::optional<MemoryUse> memory;
  std::optional<ModelPages> pages;
};

std::string as_table(const BenchReport& report);
nlohmann::ordered_json as_json(const BenchReport& report);

}  // namespace stagecraft::bench
