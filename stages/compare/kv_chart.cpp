#include "stages/compare/kv_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "stages/core/svg_plot.h"

namespace stagecraft {
namespace {

constexpr size_t kMostMoments = 400;  // more than a chart has dots side by side
constexpr double kMega = 1e6;

}  // namespace

std::vector<KvMoment> kv_over_time(const RunLog& log, size_t limit) {
  if (log.steps.empty()) return {};
  std::vector<KvMoment> moments;
  const size_t group = (log.steps.size() + limit - 1) / limit;
  for (size_t first = 0; first < log.steps.size(); first += group) {
    KvMoment moment{milliseconds(log.start, log.steps[first].start), 0};
    for (size_t i = first; i < std::min(first + group, log.steps.size()); ++i) {
      moment.bytes = std::max(moment.bytes, double(log.steps[i].kv_used_bytes));
    }
    moments.push_back(moment);
  }
  moments.push_back({milliseconds(log.start, log.steps.back().finished), moments.back().bytes});
  return moments;
}

double kv_use(const RunReport& report) {
  double byte_ms = 0, ms = 0;
  for (const StepRecord& step : report.log.steps) {
    const double took = milliseconds(step.start, step.finished);
    byte_ms += took * double(step.kv_used_bytes);
    ms += took;
  }
  const double reserved = ms * double(report.counts.kv_bytes_reserved_peak);
  return reserved > 0 ? byte_ms / reserved : 0;
}

std::string kv_chart(const RunReport& report, int64_t largest_bytes) {
  const std::vector<KvMoment> moments = kv_over_time(report.log, kMostMoments);
  if (moments.empty()) return "";
  const double reserved = double(report.counts.kv_bytes_reserved_peak) / kMega;
  const double end = moments.back().ms;
  SvgPlot plot({fmt::format("K/V memory over time, stage {}", report.stage.number),
                fmt::format("{} bytes reserved; {} used at most, {:.0f} percent of the reserved ones on average",
                            with_commas(report.counts.kv_bytes_reserved_peak),
                            with_commas(report.counts.kv_bytes_used_peak), 100 * kv_use(report)),
                "ms", "MB"},
               end, double(largest_bytes) / kMega);
  SvgPlot::Points stairs;  // each value holds until the next moment
  for (size_t i = 0; i + 1 < moments.size(); ++i) {
    stairs.emplace_back(moments[i].ms, moments[i].bytes / kMega);
    stairs.emplace_back(moments[i + 1].ms, moments[i].bytes / kMega);
  }
  plot.fill(stairs, "dot");
  plot.curve({{0, reserved}, {end, reserved}}, "curve other dashed");
  return plot.svg();
}

}  // namespace stagecraft
