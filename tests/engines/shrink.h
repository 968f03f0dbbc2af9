#pragma once
/// @file
/// Makes a failing cell small (delta debugging; Zeller and Hildebrandt, TSE 2002): a bug that shows with twelve requests
/// and nine options is found by reading; with two requests and one option, by looking.
#include <functional>

#include "tests/engines/cell.h"

namespace stagecraft::testing {

/// Whether a cell still fails, and in the same way.
using Fails = std::function<bool(const Cell&)>;

struct Shrunk {
  Cell cell;
  int runs = 0;  // of Fails
};

/// The smallest cell that `fails` and that it can find in `most_runs` runs, `cell` at worst. Tries to leave out
/// requests, many at first; to set options to their defaults; to halve lengths, then to take one token off; and begins
/// again until nothing helps any more.
Shrunk shrink(const Cell& cell, const Fails& fails, int most_runs);

}  // namespace stagecraft::testing
