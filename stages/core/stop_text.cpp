/// @file
/// Plain search: what is held back is shorter than the longest stop text, so each piece is looked at a few times only.
#include "stages/core/stop_text.h"

#include <algorithm>
#include <utility>

#include "kernels/check.h"

namespace stagecraft {
namespace {

/// How many of the last bytes of `text` are the beginning of `stop`, but not all of it.
size_t overlap(std::string_view text, std::string_view stop) {
  for (size_t length = std::min(text.size(), stop.size() - 1); length > 0; --length) {
    if (text.ends_with(stop.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

StopTextFilter::StopTextFilter(std::vector<std::string> stops) : stops_(std::move(stops)) {
  for (const std::string& stop : stops_) check(!stop.empty(), "a stop text is not empty");
}

std::string StopTextFilter::push(std::string_view piece) {
  if (stopped_) return "";
  held_ += piece;

  size_t first_end = std::string::npos, begin = std::string::npos, possible = 0;
  for (const std::string& stop : stops_) {
    possible = std::max(possible, overlap(held_, stop));
    const size_t found = held_.find(stop);
    if (found == std::string::npos) continue;
    const size_t end = found + stop.size();
    if (first_end == std::string::npos || end < first_end || (end == first_end && found < begin)) {
      first_end = end;
      begin = found;
    }
  }

  stopped_ = begin != std::string::npos;
  std::string clear = held_.substr(0, stopped_ ? begin : held_.size() - possible);
  held_.erase(0, stopped_ ? held_.size() : clear.size());
  return clear;
}

std::string StopTextFilter::finish() { return std::exchange(held_, ""); }

}  // namespace stagecraft
