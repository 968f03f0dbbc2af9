/// @file
/// Waiting that can be given up.
#include "stages/core/engine_clock.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace stagecraft {

void WallClock::wait_until(TimePoint when, const std::function<bool()>& stop) {
  constexpr std::chrono::milliseconds kPatience{10};  // how late `stop` may be noticed
  while (Clock::now() < when && !stop()) std::this_thread::sleep_until(std::min(when, Clock::now() + kPatience));
}

}  // namespace stagecraft
