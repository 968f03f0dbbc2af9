#pragma once
/// @file
/// Ctrl-C ends a run between two forward passes, so that what was measured is still reported. A second Ctrl-C kills.
#include <csignal>

namespace stagecraft {

/// While it lives, SIGINT and SIGTERM set a flag instead of ending the program. One at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// A signal has come.
  bool requested() const;

 private:
  struct sigaction previous_interrupt_, previous_terminate_;
};

/// Thrown to leave work that cannot be reported, such as loading, when a signal has come. A program answers with
/// kExitInterrupted and says nothing.
struct Interrupted {};

}  // namespace stagecraft
