#pragma once
/// @file
/// The time that an engine reads. On a wall clock it passes by itself; on a virtual one a step takes what a cost model
/// says, and waiting takes no time at all, so that every latency of a run is exact and the same on any machine. The
/// tokens are the same on both: time decides only who is there when a step is planned.
#include <functional>
#include <vector>

#include "stages/core/cost_model.h"
#include "stages/core/run_log.h"
#include "stages/core/virtual_clock.h"

namespace stagecraft {

class EngineClock {
 public:
  virtual ~EngineClock() = default;

  virtual TimePoint now() const = 0;
  /// A step has computed `parts`.
  virtual void spend(const std::vector<StepPart>& parts) = 0;
  /// Returns at `when`, or soon after `stop` has begun to say true.
  virtual void wait_until(TimePoint when, const std::function<bool()>& stop) = 0;
};

class WallClock final : public EngineClock {
 public:
  TimePoint now() const override { return Clock::now(); }
  void spend(const std::vector<StepPart>&) override {}  // it has passed already
  void wait_until(TimePoint when, const std::function<bool()>& stop) override;
};

class CostClock final : public EngineClock {
 public:
  /// Throws BadInput if `cost` makes no sense.
  explicit CostClock(const CostModel& cost) : cost_(cost) { cost_.validate(); }

  TimePoint now() const override { return clock_.now(); }
  void spend(const std::vector<StepPart>& parts) override { clock_.advance(cost_.step_ns(parts)); }
  void wait_until(TimePoint when, const std::function<bool()>&) override {
    clock_.wait_until(VirtualClock::nanoseconds(when));
  }

 private:
  CostModel cost_;
  VirtualClock clock_;
};

}  // namespace stagecraft
