#pragma once
/// @file
/// Options of the scheduler on the command line.
#include <string>

#include "stages/4_continuous_batching/engine.h"
#include "stages/core/command_line.h"

namespace stagecraft {

class EngineOptions {
 public:
  /// Adds --max-running, --token-budget, --chunk, --policy and --max-length to `command_line`, which must outlive this;
  /// before parse.
  explicit EngineOptions(CommandLine& command_line);
  EngineOptions(const EngineOptions&) = delete;
  EngineOptions& operator=(const EngineOptions&) = delete;

  /// After parse. Throws BadInput for what is out of range.
  ContinuousOptions read() const;

 private:
  CommandLine& command_line_;
  std::string max_running_ = "8", token_budget_ = "256", policy_ = "fcfs", chunk_, max_length_;
};

}  // namespace stagecraft
