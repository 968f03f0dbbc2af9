#pragma once
/// @file
/// Source lines for findings and profiles, inside the learner's process. The simulator would run addr2line, but that
/// process may start no other: the check runs it instead, and is asked through the pipe. line_client.cpp takes the place
/// of the simulator's runtime/source_lines.cpp at link time.
namespace stagecraft::labs {

/// Whether lines are asked for at all; without, all are unknown. On at first.
void ask_for_lines(bool yes);

}  // namespace stagecraft::labs
