#include "stages/compare/charts.h"

#include <algorithm>

#include <fmt/format.h>

#include "stages/compare/compare_table.h"
#include "stages/core/svg_plot.h"

namespace stagecraft {
namespace {

constexpr double kBarPitch = 38;  // a name above a bar
constexpr double kBarTop = 0.45, kBarBottom = 0.9, kNameBaseline = 0.35, kWhisker = (kBarTop + kBarBottom) / 2;

double most_of(const LadderRow& row) {
  double most = 0;
  for (const LadderCell& cell : row.cells) {
    if (cell.value) most = std::max(most, cell.value->most);
  }
  return most;
}

std::string bar_label(const Metric& metric, const LadderCell& cell) {
  if (!cell.value) return "none";
  const std::string ratio = ratio_text(cell);
  return value_text(metric.kind, cell.value->median) + (ratio.empty() ? "" : "  " + ratio);
}

}  // namespace

std::string ladder_chart(const LadderRow& row, const std::vector<StageRuns>& stages) {
  const double most = most_of(row);
  if (most <= 0) return "";
  const double bars = double(stages.size());
  PlotFrame frame{.left = 0, .right = 1, .top = 0, .bottom = 0};
  frame.height = kBarPitch * bars;
  std::string description = std::string(row.metric.name) + ":";
  for (size_t i = 0; i < stages.size(); ++i) {
    description += fmt::format(" {} {};", heading_of(stages[i].info), bar_label(row.metric, row.cells[i]));
  }
  SvgPlot plot({std::string(row.metric.name), description, "", ""}, most, bars, frame);
  for (size_t i = 0; i < stages.size(); ++i) {
    const LadderCell& cell = row.cells[i];
    const double top = bars - double(i);  // the first stage is the topmost bar
    plot.text(0, plot.y(top - kNameBaseline), heading_of(stages[i].info), "name");
    plot.text(frame.width - frame.right, plot.y(top - kNameBaseline), bar_label(row.metric, cell), "value",
              TextAnchor::end);
    if (!cell.value) continue;
    plot.area({0, cell.value->median}, {top - kBarTop, top - kBarBottom},
              cell.change == Change::loss ? "second" : "dot");
    plot.curve({{cell.value->least, top - kWhisker}, {cell.value->most, top - kWhisker}}, "whisker");
  }
  return plot.svg();
}

double largest_throughput(const std::vector<BatchPoint>& sweep) {
  double largest = 0;
  for (const BatchPoint& point : sweep) {
    largest = std::max({largest, point.tokens_per_s, point.predicted_tokens_per_s.value_or(0)});
  }
  return largest;
}

std::string throughput_chart(const StageInfo& stage, const std::vector<BatchPoint>& sweep, double largest) {
  SvgPlot::Points measured, predicted;
  for (const BatchPoint& point : sweep) {
    if (point.stage.number != stage.number) continue;
    measured.emplace_back(point.batch, point.tokens_per_s);
    if (point.predicted_tokens_per_s) predicted.emplace_back(point.batch, *point.predicted_tokens_per_s);
  }
  if (measured.empty()) return "";
  SvgPlot plot(
      {fmt::format("Throughput over batch size, {}", heading_of(stage)),
       fmt::format("From {:.1f} output tokens a second at {} to {:.1f} at {} requests a step", measured.front().second,
                   measured.front().first, measured.back().second, measured.back().first),
       "requests a step, at most", "output tok/s"},
      measured.back().first, largest);
  plot.curve(predicted, "curve other dashed");
  plot.curve(measured, "curve");
  for (const auto& [batch, rate] : measured) plot.dot(batch, rate, "dot");
  return plot.svg();
}

}  // namespace stagecraft
