/// @file
/// Redraws the line at most once a percent.
#include "stages/core/progress.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace stagecraft {
namespace {

constexpr double kPatienceMs = 250;  // a shorter load needs no explanation

}  // namespace

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_percent_ >= 0) std::fputs("\r\x1b[K", stderr);  // back to the start, erase the line
}

void ProgressLine::update(double share) {
  const int percent = int(100 * share);
  if (!on_terminal_ || percent == shown_percent_ || milliseconds(start_, Clock::now()) < kPatienceMs) return;
  fmt::print(stderr, "\r{}  {:3} %", what_, percent);
  shown_percent_ = percent;
}

}  // namespace stagecraft
