#pragma once
/// @file
/// Numbers of a chapter that no sentence of its recipe has: for a reviewer to look at, since some of them are the
/// reader's (a question, a section, a year) and need no run.
#include <string>
#include <string_view>
#include <vector>

#include "docs/figures/results.h"

namespace stagecraft::figures {

struct Line {
  size_t number;  // from 1
  std::string text;
};

/// The lines outside of code fences with such a number. Digits in `code`, in the target of a link, in a word (bf16) and in
/// "stage 2" are no numbers.
std::vector<Line> uncovered_lines(const Recipe& recipe, const Results& results, std::string_view chapter);

}  // namespace stagecraft::figures
