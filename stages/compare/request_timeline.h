#pragma once
/// @file
/// Who was in which step: a Gantt picture of a run.
///
///     0  =====####.....######         = waiting   # its prompt   . its output, a token a step
///     1  =======================###....
///           time ->
#include <string>
#include <vector>

#include "stages/core/run_report.h"

namespace stagecraft {

/// Steps one after the other in which a request did the same.
struct TimelineSpan {
  enum class Work { prompt, output };

  int request = 0;
  Work work = Work::prompt;
  size_t first_step = 0, last_step = 0;
};

/// The spans of all requests, in the order in which they begin. A step without the request ends its span.
std::vector<TimelineSpan> timeline_of(const RunLog& log);

/// Requests that the picture shows at most: the first ones.
inline constexpr size_t kTimelineRequests = 48;

/// The picture; empty if nothing was computed.
std::string timeline_chart(const RunReport& report);

}  // namespace stagecraft
