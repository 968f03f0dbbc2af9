/// @file
/// A signal handler may touch nothing but a flag, and the flag must be known to it without an argument: the one
/// variable of namespace scope in the project.
#include "stages/core/interrupt.h"

namespace stagecraft {
namespace {

volatile std::sig_atomic_t signal_came = 0;

extern "C" void remember_signal(int) { signal_came = 1; }

}  // namespace

InterruptWatch::InterruptWatch() {
  signal_came = 0;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = SA_RESETHAND;  // the second one ends the program at once
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_interrupt_);
  sigaction(SIGTERM, &action, &previous_terminate_);
}

InterruptWatch::~InterruptWatch() {
  sigaction(SIGINT, &previous_interrupt_, nullptr);
  sigaction(SIGTERM, &previous_terminate_, nullptr);
}

bool InterruptWatch::requested() const { return signal_came != 0; }

}  // namespace stagecraft
