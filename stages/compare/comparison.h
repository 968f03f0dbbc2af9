#pragma once
/// @file
/// Everything that `compare` found out, ready to be shown: as a table, as JSON, as a page.
#include <optional>
#include <string>
#include <vector>

#include "stages/compare/batch_sweep.h"
#include "stages/compare/prediction.h"
#include "stages/compare/stage_list.h"
#include "stages/compare/trace_slice.h"

namespace stagecraft {

/// The sum of what was asked.
struct WorkloadSummary {
  std::string name;
  int64_t requests = 0, prompt_tokens = 0, output_tokens = 0;
};

struct Comparison {
  WorkloadSummary workload;
  EngineLimits limits;
  int64_t kv_bytes_per_token = 0;
  MachineLimits machine;
  std::vector<StageRuns> stages;
  std::vector<BatchPoint> sweep;
  std::optional<Roofline> prediction;  // with --predict
  std::vector<TraceSlice> slices;      // with --trace-slice

  const RunReport& first_report() const { return stages.front().rounds.front(); }
};

/// "3 batching", the head of a stage's column.
std::string heading_of(const StageInfo& stage);

/// The model, the device and the processor in one line.
std::string machine_line(const Comparison& comparison);

/// The workload, the limits and the rounds in one line.
std::string workload_line(const Comparison& comparison);

/// The name of a metric, with the mark of a p99 that has too few values.
std::string marked_name(const Metric& metric, const Comparison& comparison);

}  // namespace stagecraft
