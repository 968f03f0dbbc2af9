#include "stages/compare/request_timeline.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "stages/core/svg_plot.h"

namespace stagecraft {
namespace {

constexpr double kRowPitch = 11;
constexpr double kBarShare = 0.8, kWaitShare = 0.25;  // of a row's height
constexpr size_t kNameEvery = 5;

TimelineSpan::Work work_of(const StepPart& part, const RunLog& log) {
  const int64_t prompt = log.requests[size_t(part.request)].prompt_tokens;
  return part.kv_length <= prompt ? TimelineSpan::Work::prompt : TimelineSpan::Work::output;
}

/// From `share` of a row below its middle to as much above it; the first request is on top.
std::pair<double, double> band(int request, size_t rows, double share) {
  const double middle = double(rows) - request - 0.5;
  return {middle - share / 2, middle + share / 2};
}

void draw_waits(SvgPlot& plot, const RunLog& log, size_t rows) {
  for (size_t i = 0; i < rows; ++i) {
    const RequestRecord& request = log.requests[i];
    if (!request.scheduled) continue;
    plot.area({milliseconds(log.start, request.arrival), milliseconds(log.start, *request.scheduled)},
              band(request.id, rows, kWaitShare), "soft");
  }
}

}  // namespace

std::vector<TimelineSpan> timeline_of(const RunLog& log) {
  std::vector<TimelineSpan> spans;
  std::vector<std::optional<size_t>> latest(log.requests.size());  // (requests) its latest span
  for (size_t step = 0; step < log.steps.size(); ++step) {
    for (const StepPart& part : log.steps[step].parts) {
      std::optional<size_t>& open = latest[size_t(part.request)];
      const TimelineSpan::Work work = work_of(part, log);
      if (open && spans[*open].work == work && spans[*open].last_step + 1 == step) {
        spans[*open].last_step = step;
        continue;
      }
      open = spans.size();
      spans.push_back({part.request, work, step, step});
    }
  }
  return spans;
}

std::string timeline_chart(const RunReport& report) {
  const RunLog& log = report.log;
  if (log.steps.empty()) return "";
  const size_t rows = std::min(log.requests.size(), kTimelineRequests);
  PlotFrame frame{.left = 26, .top = 4};
  frame.height = kRowPitch * double(rows) + frame.top + frame.bottom;
  const double end = milliseconds(log.start, log.steps.back().finished);
  SvgPlot plot({fmt::format("Timeline of requests, stage {}", report.stage.number),
                fmt::format("{} requests over {} steps in {:.1f} ms: when each waited, read its prompt, and wrote",
                            log.requests.size(), log.steps.size(), end),
                "ms", ""},
               end, double(rows), frame);
  draw_waits(plot, log, rows);
  for (const TimelineSpan& span : timeline_of(log)) {
    if (size_t(span.request) >= rows) continue;
    plot.area({milliseconds(log.start, log.steps[span.first_step].start),
               milliseconds(log.start, log.steps[span.last_step].finished)},
              band(span.request, rows, kBarShare), span.work == TimelineSpan::Work::prompt ? "second" : "dot");
  }
  for (size_t i = 0; i < rows; i += kNameEvery) {
    plot.text(frame.left - 4, plot.y(band(int(i), rows, kBarShare).first) - 1, std::to_string(i), "axis",
              TextAnchor::end);
  }
  return plot.svg();
}

}  // namespace stagecraft
