#pragma once
/// @file
/// The time that this process has had a processor. Where other programs want the same processors, the clock on the wall
/// measures them as well; this one does not see the time in which they ran. With one thread, on a machine of its own,
/// both say the same.
#include <ctime>

#include "kernels/check.h"
#include "stages/core/engine_clock.h"

namespace stagecraft {

class ProcessorClock final : public EngineClock {
 public:
  TimePoint now() const override {
    timespec used{};
    check(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0, "a process knows its processor time");
    return TimePoint(std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec));
  }
  void spend(const std::vector<StepPart>&) override {}  // it has passed already
  void wait_until(TimePoint, const std::function<bool()>&) override {
    check(false, "processor time does not pass by waiting: all requests are there at the start");
  }
};

}  // namespace stagecraft
