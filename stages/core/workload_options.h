#pragma once
/// @file
/// Options of stages that serve workloads: requests from a trace or a generator instead of prompts.
#include <optional>
#include <string>

#include "stages/core/command_line.h"
#include "stages/core/job.h"
#include "stages/core/workload.h"

namespace stagecraft {

/// --workload FILE, or --requests N with the generator's options.
class WorkloadOptions {
 public:
  /// Adds the options to `command_line`, which must outlive this; before parse.
  explicit WorkloadOptions(CommandLine& command_line);
  WorkloadOptions(const WorkloadOptions&) = delete;
  WorkloadOptions& operator=(const WorkloadOptions&) = delete;

  /// After parse: the workload, or else the prompts; if neither is given `otherwise`, and without that standard input.
  /// Throws BadInput for values that make no sense, for options that contradict each other, and for those that would
  /// have no effect.
  Asked read(const Options& options, const std::optional<Workload>& otherwise = std::nullopt) const;

 private:
  bool given(const char* name) const;
  void refuse(const char* name, const char* with, const char* hint) const;
  bool any_prompt() const;
  void refuse_unusable(bool serves_workload) const;
  Workload from_file() const;
  Workload generated() const;
  ArrivalSpec arrivals() const;

  CommandLine& command_line_;
  std::string file_, requests_ = "1", shrink_ = "1", seed_ = "0";
  std::string rate_ = "0", burstiness_ = "1";
  std::string prompt_mean_ = "64", prompt_cv_ = "0.5", output_mean_ = "32", output_cv_ = "0.5";
  std::string prefixes_ = "0", prefix_tokens_ = "0";
};

/// Divides all lengths of `workload` by `by`, rounding up, so that a trace of a large model's requests fits a small one.
void shrink_lengths(Workload& workload, int64_t by);

}  // namespace stagecraft
