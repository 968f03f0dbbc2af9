#pragma once
/// @file
/// Reading a schedule off a log.
#include <chrono>
#include <cstdint>
#include <vector>

#include "stages/core/job.h"
#include "stages/core/run_log.h"
#include "stages/core/workload.h"

namespace stagecraft::testing {

/// For each step, which requests take part, in the order of their rows.
inline std::vector<std::vector<int>> members_of_steps(const RunLog& log) {
  std::vector<std::vector<int>> members;
  for (const StepRecord& step : log.steps) {
    members.emplace_back();
    for (const StepPart& part : step.parts) members.back().push_back(part.request);
  }
  return members;
}

/// For each step, how many rows each of its requests has.
inline std::vector<std::vector<int64_t>> rows_of_steps(const RunLog& log) {
  std::vector<std::vector<int64_t>> rows;
  for (const StepRecord& step : log.steps) {
    rows.emplace_back();
    for (const StepPart& part : step.parts) rows.back().push_back(part.rows);
  }
  return rows;
}

inline std::vector<int64_t> padded_of_steps(const RunLog& log) {
  std::vector<int64_t> padded;
  for (const StepRecord& step : log.steps) padded.push_back(step.padded_slots.value_or(-1));
  return padded;
}

inline double ms_since_start(const RunLog& log, TimePoint at) { return milliseconds(log.start, at); }

inline std::vector<double> step_starts(const RunLog& log) {
  std::vector<double> starts;
  for (const StepRecord& step : log.steps) starts.push_back(ms_since_start(log, step.start));
  return starts;
}

/// The jobs without their text.
inline Workload workload_of_jobs(const std::vector<Job>& jobs) {
  Workload workload{"jobs", {}};
  for (const Job& job : jobs) {
    workload.requests.push_back({.arrival_ns = job.arrival_ns,
                                 .prompt_tokens = job.request.prompt_tokens,
                                 .output_tokens = job.request.max_tokens,
                                 .priority = job.priority});
  }
  return workload;
}

}  // namespace stagecraft::testing
