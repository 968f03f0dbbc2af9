#pragma once
/// @file
/// Time that passes only when told to: a cost model says how long a step took, and waiting for the next arrival takes
/// no time at all. TTFT and ITL of a schedule are then exact, and the same on every machine.
///
/// It speaks the TimePoint of a RunLog, so whatever reads a real run reads a simulated one. It starts at 0 ns.
#include <chrono>
#include <cstdint>

#include "kernels/check.h"
#include "stages/core/run_log.h"

namespace stagecraft {

class VirtualClock {
 public:
  /// The moment `ns` nanoseconds after the start, as it stands in a RunLog.
  static TimePoint at(int64_t ns) { return TimePoint(std::chrono::nanoseconds(ns)); }

  /// The reverse of at().
  static int64_t nanoseconds(TimePoint time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  }

  int64_t now_ns() const { return now_ns_; }
  TimePoint now() const { return at(now_ns_); }

  /// Something took `ns` nanoseconds.
  void advance(int64_t ns) {
    check(ns >= 0, "time does not run backwards");
    now_ns_ += ns;
  }

  /// Sleeps until `ns` nanoseconds after the start; returns at once if that has passed.
  void wait_until(int64_t ns) {
    if (ns > now_ns_) now_ns_ = ns;
  }

 private:
  int64_t now_ns_ = 0;
};

}  // namespace stagecraft
