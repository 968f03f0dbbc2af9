#pragma once
/// @file
/// --metrics: live metrics in a file that is replaced as a whole about once a second while a run goes on, so that whoever
/// reads it never sees half of one. Prometheus reads such files through its node exporter's textfile collector.
#include <chrono>
#include <filesystem>
#include <optional>

#include "stages/core/live_metrics.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

class MetricsFile {
 public:
  /// Writes metrics of a run that has not begun. Throws BadInput if `file` cannot be written.
  MetricsFile(std::filesystem::path file, MetricsNames names, int64_t kv_capacity_bytes);

  /// A step is done: writes if the last time is long enough ago. Throws Failure if that fails.
  void update(const RunProgress& progress);
  /// The run is over: writes what it has come to.
  void finish(const RunLog& log);

 private:
  void write(const RunSnapshot& snapshot);

  std::filesystem::path file_;
  MetricsNames names_;
  int64_t kv_capacity_bytes_;
  std::chrono::steady_clock::time_point written_;
};

}  // namespace stagecraft
