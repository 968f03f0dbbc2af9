/// @file
/// One rectangle for each run of moments in which a block had the same owner.
#include "stages/core/block_map_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "stages/core/metrics.h"
#include "stages/core/svg_plot.h"

namespace stagecraft {
namespace {

constexpr double kGoldenAngle = 137.508;  // degrees: neighbouring ids get colours far apart
constexpr double kFullCircle = 360;

std::string fill_of(int32_t owner) {
  if (owner == BlockMap::kCached) return "var(--line)";
  if (owner == BlockMap::kShared) return "var(--ink)";
  const double turns = double(owner) * kGoldenAngle / kFullCircle;
  return fmt::format("hsl({:.0f} 60% 55%)", (turns - double(int64_t(turns))) * kFullCircle);
}

/// Blocks of one row, between two moments.
std::string bar(const SvgPlot& plot, double from_ms, double to_ms, size_t row, int32_t owner) {
  const double top = plot.y(double(row) + 1), bottom = plot.y(double(row));
  return fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" style=\"fill:{}\"/>\n",
                     plot.x(from_ms), top, plot.x(to_ms) - plot.x(from_ms), bottom - top, fill_of(owner));
}

}  // namespace

std::string block_map_chart(const RunLog& log) {
  if (!log.block_map || log.block_map->moments.empty()) return "";
  const BlockMap& map = *log.block_map;
  const size_t rows = map.moments.front().owners.size();
  const double end = milliseconds(log.start, log.end);
  const auto time_of = [&](size_t moment) {
    return moment < map.moments.size() ? milliseconds(log.start, map.moments[moment].at) : end;
  };
  const std::string every = map.every > 1 ? fmt::format("; every {}th is drawn", map.every) : "";
  const SvgPlot plot(
      {"Blocks over time", fmt::format("Who holds which of the {} blocks{}; a colour a request", map.blocks, every),
       "ms", map.every > 1 ? fmt::format("block / {}", map.every) : "block"},
      end, double(rows));
  std::string bars;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t first = 0, next = 0; first < map.moments.size(); first = next) {
      const int32_t owner = map.moments[first].owners[row];
      while (next < map.moments.size() && map.moments[next].owners[row] == owner) ++next;
      if (owner != BlockMap::kFree) bars += bar(plot, time_of(first), time_of(next), row, owner);
    }
  }
  std::string svg = plot.svg();
  svg.insert(svg.rfind("</svg>"), bars);
  return svg;
}

}  // namespace stagecraft
