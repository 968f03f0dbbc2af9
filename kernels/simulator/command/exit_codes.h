#pragma once
/// @file
/// What `simt run` ends with, if not with the program's own code.

namespace simt::command {

inline constexpr int kFailed = 1;    // the file does not compile, or the machine refused something
inline constexpr int kBadInput = 2;  // an option or the file's name
inline constexpr int kFindings = 3;  // the program ran, and the simulator found something

}  // namespace simt::command
