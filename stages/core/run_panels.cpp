/// @file
/// A curve or two a panel, over the seconds of the run.
#include "stages/core/run_panels.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "stages/core/html_page.h"
#include "stages/core/metrics.h"
#include "stages/core/run_series.h"
#include "stages/core/svg_plot.h"

namespace stagecraft {
namespace {

constexpr int kSlices = 60;
constexpr double kMsPerSecond = 1e3;

/// A curve with a name and a colour.
struct Line {
  const char* name;
  SvgPlot::Points points;
};

double largest_of(const std::vector<Line>& lines) {
  double largest = 0;
  for (const Line& line : lines) {
    for (const auto& [x, y] : line.points) largest = std::max(largest, y);
  }
  return largest;
}

/// One panel: the first line, and dashed the second; a target as a dotted line across.
std::string panel(const std::string& title, const char* unit, double seconds, const std::vector<Line>& lines,
                  std::optional<double> target = std::nullopt, bool dots = false) {
  std::string names, description;
  for (const Line& line : lines) {
    names += (names.empty() ? "" : ", dashed ") + std::string(line.name);
    const double last = line.points.empty() ? 0 : line.points.back().second;
    description += fmt::format("{}: at most {:.4g}, {:.4g} at the end. ", line.name, largest_of({line}), last);
  }
  SvgPlot plot({title, description, "s", unit}, seconds, std::max(largest_of(lines), target.value_or(0)));
  for (size_t i = 0; i < lines.size(); ++i) {
    if (dots) {
      for (const auto& [x, y] : lines[i].points) plot.dot(x, y, "dot");
    } else {
      plot.curve(lines[i].points, i == 0 ? "curve" : "curve other dashed");
    }
  }
  if (target) plot.curve({{0, *target}, {seconds, *target}}, "curve other dashed");
  return fmt::format("<figure><figcaption>{}<br><span class=\"quiet\">{}</span></figcaption>{}</figure>\n",
                     escaped(title), escaped(names), plot.svg());
}

/// `value` of each slice, where it has one.
template <class Value>
SvgPlot::Points points_of(const std::vector<RunSlice>& slices, const Value& value) {
  SvgPlot::Points points;
  for (const RunSlice& slice : slices) {
    if (const std::optional<double> y = value(slice)) points.emplace_back(slice.second, *y);
  }
  return points;
}

/// A target to draw: there is one, and it is not beyond all bounds.
std::optional<double> target_of(const std::optional<Slo>& slo, double Slo::*ms) {
  if (!slo || !std::isfinite((*slo).*ms)) return std::nullopt;
  return (*slo).*ms;
}

SvgPlot::Points first_tokens(const RunLog& log) {
  SvgPlot::Points points;
  for (const RequestRecord& request : log.requests) {
    const RequestMetrics metrics = request_metrics(request);
    if (!metrics.ttft_ms) continue;
    points.emplace_back(milliseconds(log.start, request.chunks.front().at) / kMsPerSecond, *metrics.ttft_ms);
  }
  return points;
}

}  // namespace

std::string_view panel_style() {
  return ".panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem; "
         "}\n"
         ".panels figure { margin: 0; } .panels figcaption .quiet { color: var(--quiet); }\n";
}

std::string run_panels(const RunLog& log, const std::optional<Slo>& slo) {
  const std::vector<RunSlice> slices = run_slices(log, kSlices, slo);
  if (slices.empty()) return "";
  const double seconds = milliseconds(log.start, log.end) / kMsPerSecond;
  const auto line = [&](const char* name, auto member) {
    return Line{name, points_of(slices, [&](const RunSlice& slice) { return std::optional<double>(slice.*member); })};
  };
  std::string html = "<div class=\"panels\">\n";
  html += panel("Requests", "requests", seconds,
                {line("running", &RunSlice::running), line("waiting", &RunSlice::waiting)});
  html += panel("Tokens", "tok/s", seconds,
                {line("output", &RunSlice::output_tokens_per_s), line("prompts", &RunSlice::prompt_tokens_per_s)});
  html += panel("Time to first token", "ms", seconds, {{"a dot a request", first_tokens(log)}},
                target_of(slo, &Slo::ttft_ms), true);
  html +=
      panel("Inter-token latency", "ms", seconds,
            {line("p50", &RunSlice::itl_p50_ms), line("p99", &RunSlice::itl_p99_ms)}, target_of(slo, &Slo::tpot_ms));
  html += panel("K/V held", "MB", seconds, {line("handed out", &RunSlice::kv_held_mb)});
  html += panel("Rows of a step", "rows", seconds, {line("mean", &RunSlice::rows_per_step)});
  if (slo) {
    html += panel("Requests that ended", "requests/s", seconds,
                  {line("within both targets", &RunSlice::met_per_s), line("late", &RunSlice::missed_per_s)});
  }
  return html + "</div>\n";
}

}  // namespace stagecraft
