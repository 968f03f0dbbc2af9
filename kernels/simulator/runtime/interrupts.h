#pragma once
/// @file
/// Kernels that crash or never end, noticed by signals: SIGSEGV and SIGBUS for a bad address (in checked launches only
/// a stack overflow gets that far), and a timer of the OS thread's CPU time for endless loops, even those that call
/// nothing.
///
/// A signal handler may do next to nothing. Ours writes down what happened, and lets the interrupted fiber go on in
/// Worker::interrupted(), an ordinary function that reports and ends the launch. Only kernel code is interrupted in
/// this way, never the runtime or the C library, whose state would be left half changed.
#include <cstdint>

#include <signal.h>
#include <time.h>

namespace simt::runtime {

/// Why a fiber was interrupted.
struct Interruption {
  enum class Kind : uint8_t { overdue, bad_address, stack_overflow };
  Kind kind = Kind::overdue;
  uintptr_t code = 0;     // the interrupted instruction
  uintptr_t address = 0;  // that it could not access
};

/// One for each worker, made on its OS thread.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  /// Before each launch: sets the handler of SIGSEGV, which test frameworks replace, and the timer.
  void arm(double seconds_per_block);

 private:
  static void on_fault(int signal, siginfo_t* info, void* context);
  static void on_timer(int signal, siginfo_t* info, void* context);
  /// Makes the interrupted fiber go on in Worker::interrupted(), on its own stack or, if `stack` is not 0, on that one.
  static void divert(void* context, uintptr_t stack);

  bool has_timer_ = false;
  timer_t timer_{};
  double armed_seconds_ = 0;
  uint64_t blocks_at_last_tick_ = 0;
  char* handler_stack_;  // for the handler itself, since the fiber's may be full
  char* rescue_stack_;   // for what follows a stack overflow
};

}  // namespace simt::runtime
