#pragma once
/// @file
/// Options of stages that serve like a service: live metrics, and targets for goodput.
#include <filesystem>
#include <optional>
#include <string>

#include "stages/core/command_line.h"
#include "stages/core/goodput.h"

namespace stagecraft {

/// What is watched while a run goes on.
struct WatchSettings {
  std::filesystem::path metrics;  // empty: not asked for
  std::optional<Slo> slo = {};
};

/// --metrics FILE, --slo-ttft-ms N, --slo-tpot-ms N.
class MetricsOptions {
 public:
  /// Adds the options to `command_line`, which must outlive this; before parse.
  explicit MetricsOptions(CommandLine& command_line);
  MetricsOptions(const MetricsOptions&) = delete;
  MetricsOptions& operator=(const MetricsOptions&) = delete;

  /// After parse. A target that is not given is never missed. Throws BadInput for what is not a time.
  WatchSettings read() const;

 private:
  CommandLine& command_line_;
  std::string metrics_, ttft_ms_, tpot_ms_;
};

}  // namespace stagecraft
