#pragma once
/// @file
/// Options that choose the clock a stage serves by: the one on the wall, or a virtual one with a stated cost of a step.
#include <memory>
#include <optional>
#include <string>

#include "stages/core/command_line.h"
#include "stages/core/engine_clock.h"
#include "stages/core/session.h"

namespace stagecraft {

/// --clock wall | virtual, --step-us N.
class ClockOptions {
 public:
  /// Adds the options to `command_line`, which must outlive this; before parse.
  explicit ClockOptions(CommandLine& command_line);
  ClockOptions(const ClockOptions&) = delete;
  ClockOptions& operator=(const ClockOptions&) = delete;

  /// After parse: what a step costs on the virtual clock, as far as it is known without a model; nothing for the clock on
  /// the wall. Throws BadInput if the virtual clock would stand still, or an option would have no effect.
  std::optional<CostModel> read(const Options& options) const;

 private:
  CommandLine& command_line_;
  std::string clock_ = "wall", step_us_ = "0";
};

/// `cost` with the bytes and operations of the model of `session`, if `options` gives rates for them.
CostModel cost_of_model(const CostModel& cost, const Session& session, const Options& options);

/// The clock for a run of `session`: with `cost` a virtual one, else the one on the wall.
std::unique_ptr<EngineClock> make_clock(const std::optional<CostModel>& cost, const Session& session,
                                        const Options& options);

/// The cost of a step in words, for reports.
std::string describe(const CostModel& cost);

}  // namespace stagecraft
