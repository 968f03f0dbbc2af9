#pragma once
/// @file
/// Child programs: compilers, checks, stages.
#include <map>
#include <string>
#include <vector>

#include "labs/program/places.h"

namespace stagecraft::labs {

struct ChildResult {
  int exit_code = 0;   // 128 + the signal if one ended it; kTimedOut
  std::string output;  // standard output and standard error together
  std::string result;  // what came through the result pipe, if one was asked for
};
inline constexpr int kTimedOut = 124;

struct ChildOptions {
  std::string result_option;  // adds this option with the number of a pipe's end as its value
  double seconds = 0;         // then it is killed; 0: never
};

/// Runs `command` to its end. Throws Failure if it cannot be started.
ChildResult run_child(const std::vector<std::string>& command, const ChildOptions& options = {});

}  // namespace stagecraft::labs
