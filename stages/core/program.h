#pragma once
/// @file
/// What every program's main does around its own work: errors become one line and a hint, and an exit code.
#include <functional>
#include <string_view>

namespace stagecraft {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;         // the machine, or a bug
inline constexpr int kExitBadInput = 2;       // bad usage or bad input
inline constexpr int kExitInterrupted = 130;  // 128 + SIGINT, as shells have it

/// Runs `body` and returns its exit code, or what fits the exception that it threw; `program` begins each message. A
/// reader that closes standard output does not kill the program: writing fails instead (see TextPrinter).
int run_program(std::string_view program, const std::function<int()>& body);

}  // namespace stagecraft
