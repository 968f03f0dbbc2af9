#pragma once
/// @file
/// Options of the scheduler on the command line.
#include <string>

#include "stages/4_continuous_batching/engine.h"
#include "stages/core/command_line.h"

namespace stagecraft {

class EngineOptions {
 public:
  /// Adds --max-running, --token-budget, --chunk and --policy to `command_line`, which must outlive this; before parse.
  /// `max_running`: of --max-running, if it is not given.
  explicit EngineOptions(CommandLine& command_line, int max_running = kMaxRunning);
  EngineOptions(const EngineOptions&) = delete;
  EngineOptions& operator=(const EngineOptions&) = delete;

  /// Adds --max-length, for stores that give out regions of a fixed length.
  void add_max_length();

  /// After parse. Throws BadInput for what is out of range.
  ContinuousOptions read() const;

 private:
  static constexpr int kMaxRunning = 8;

  void add(const char* name, std::string& value, const char* type, const char* help);

  CommandLine& command_line_;
  std::string max_running_, token_budget_ = "256", policy_ = "fcfs", chunk_, max_length_;
};

}  // namespace stagecraft
