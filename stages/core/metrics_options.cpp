/// @file
/// Names and ranges.
#include "stages/core/metrics_options.h"

#include <limits>

#include <CLI/CLI.hpp>

#include "kernels/check.h"
#include "stages/core/parse_number.h"

namespace stagecraft {

MetricsOptions::MetricsOptions(CommandLine& command_line) : command_line_(command_line) {
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    command_line.app().add_option(name, value, help)->type_name(type)->group("Service");
  };
  add("--metrics", metrics_, "FILE", "live metrics as Prometheus text, replaced about once a second");
  add("--slo-ttft-ms", ttft_ms_, "MS", "goodput counts requests whose first token came within this time");
  add("--slo-tpot-ms", tpot_ms_, "MS", "and whose others took no longer than this each");
}

WatchSettings MetricsOptions::read() const {
  const auto target = [&](const char* name, const std::string& text) {
    using Limits = std::numeric_limits<double>;
    return command_line_.app().count(name) > 0 ? parse_number(name, text, 0.0, Limits::max()) : Limits::infinity();
  };
  WatchSettings settings;
  settings.metrics = metrics_;
  const Slo slo{target("--slo-ttft-ms", ttft_ms_), target("--slo-tpot-ms", tpot_ms_)};
  if (command_line_.app().count("--slo-ttft-ms") + command_line_.app().count("--slo-tpot-ms") > 0) settings.slo = slo;
  return settings;
}

}  // namespace stagecraft
