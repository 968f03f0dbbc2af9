#pragma once
/// @file
/// One line on a terminal that says how far a long load is: "reading weights  43 %". It appears only if the load takes
/// longer than a moment, and is wiped when it is done; in a pipe or a log file there is none.
#include <string>

#include "stages/core/run_log.h"

namespace stagecraft {

class ProgressLine {
 public:
  /// Writes to standard error, if that is a terminal.
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `share` is in [0, 1].
  void update(double share);

 private:
  std::string what_;
  bool on_terminal_;
  TimePoint start_ = Clock::now();
  int shown_percent_ = -1;  // nothing yet
};

}  // namespace stagecraft
