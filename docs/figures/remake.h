#pragma once
/// @file
/// Runs a recipe's commands and takes the values from what they write and print.
#include <filesystem>

#include "docs/figures/results.h"

namespace stagecraft::figures {

struct Places {
  std::filesystem::path root;      // of the project
  std::filesystem::path programs;  // for {bin}
  std::filesystem::path smollm2;   // for {smollm2}; empty if there is none
};

/// Whether all that the run's command needs is there.
bool can_run(const Run& run, const Places& places);

/// Throws Failure if the command fails or does not give a value, with what it printed last.
RunResults remade(const Run& run, const Places& places);

}  // namespace stagecraft::figures
