#pragma once
/// @file
/// One run, ready to be shown: as a table, as JSON, as a trace, as a page. The same for all six stages.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stages/core/command_line.h"
#include "stages/core/goodput.h"
#include "stages/core/metrics.h"
#include "stages/core/run_log.h"

namespace stagecraft {

struct ModelSummary {
  std::string name;          // the folder's
  std::string architecture;  // "LlamaForCausalLM"
  int64_t parameters = 0;
  int64_t weight_bytes = 0;
  std::string dtype;  // "bf16"
};

/// A line of the second table: what was counted, and what to make of it.
struct WorkLine {
  std::string name, value, remark;
};

struct RunReport {
  StageInfo stage;
  std::string device;  // "cpu"
  int threads = 0;
  ModelSummary model;
  RunLog log;
  Counts counts;
  Totals totals;
  MachineLimits limits;
  std::optional<std::string> cpu;  // name of the processor, if it can be told
  std::vector<WorkLine> work;      // what this stage wants seen
  std::optional<Slo> slo = {};     // targets, if goodput was asked for
};

/// The processor's name from /proc/cpuinfo; empty where it has none, as on many ARM boards.
std::optional<std::string> cpu_name();

/// 1234567 -> "1,234,567".
std::string with_commas(int64_t number);

/// 1, 8 -> "12.5 %"; of nothing it is "0.0 %".
std::string percent(double part, double whole);

}  // namespace stagecraft
