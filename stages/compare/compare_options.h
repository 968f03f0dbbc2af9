#pragma once
/// @file
/// What `compare` is asked to do, beyond the options of all programs.
#include <string>
#include <vector>

#include "stages/compare/stage_list.h"
#include "stages/core/workload_options.h"

namespace stagecraft {

struct CompareSettings {
  std::vector<StageEntry> stages;
  EngineLimits limits;
  int repeat = 1;
  bool predict = false, trace_slice = false;
  Asked asked;
};

/// Sixteen seeded requests of about 24 tokens in and 32 out, all at the start: small enough for stage 1, whose work
/// grows with the square of the length, and different enough in length for batches to matter.
Workload default_workload();

class CompareOptions {
 public:
  /// Adds --stages, --repeat, --batch, --token-budget, --predict, --trace-slice and the options of workloads to
  /// `command_line`, which must outlive this; before parse.
  explicit CompareOptions(CommandLine& command_line);
  CompareOptions(const CompareOptions&) = delete;
  CompareOptions& operator=(const CompareOptions&) = delete;

  /// After parse. Throws BadInput for what makes no sense, and for what cannot be honoured.
  CompareSettings read(const Options& options) const;

 private:
  CommandLine& command_line_;
  WorkloadOptions workload_;
  std::string stages_, repeat_ = "3", batch_ = "8", token_budget_ = "256";
  bool predict_ = false, trace_slice_ = false;
};

}  // namespace stagecraft
