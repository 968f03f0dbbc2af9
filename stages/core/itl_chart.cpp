/// @file
/// A scatter chart: axes with round numbers, dots, no library.
#include "stages/core/itl_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "stages/core/metrics.h"

namespace stagecraft {
namespace {

// Sizes in the units of the SVG's view box.
constexpr double kWidth = 720, kHeight = 280;
constexpr double kLeft = 56, kRight = 12, kTop = 16, kBottom = 44;
constexpr double kDotRadius = 2.5;
constexpr double kLabelGap = 6;

struct Dot {
  double tokens_before;
  double ms;
};

std::vector<Dot> dots_of(const std::vector<RequestRecord>& requests) {
  std::vector<Dot> dots;
  for (const RequestRecord& request : requests) {
    const std::vector<double> gaps = request_metrics(request).itl_ms;
    int64_t tokens = 0;
    for (size_t i = 0; i < gaps.size(); ++i) {
      tokens += request.chunks[i].tokens;
      dots.push_back({double(tokens), gaps[i]});
    }
  }
  return dots;
}

/// From data to view box.
struct Scale {
  double largest_x, largest_y;

  double x(double value) const { return kLeft + value / largest_x * (kWidth - kLeft - kRight); }
  double y(double value) const { return kHeight - kBottom - value / largest_y * (kHeight - kTop - kBottom); }
};

std::string axes(const Scale& scale) {
  std::string svg;
  const double step_y = axis_step(scale.largest_y), step_x = std::max(1.0, axis_step(scale.largest_x));
  for (double value = 0; value <= scale.largest_y; value += step_y) {
    const double y = scale.y(value);
    svg += fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>", kLeft, y,
                       kWidth - kRight, y);
    svg += fmt::format("<text class=\"axis\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\" dy=\"0.35em\">{:.6g}</text>\n",
                       kLeft - kLabelGap, y, value);
  }
  for (double value = 0; value <= scale.largest_x; value += step_x) {
    svg += fmt::format("<text class=\"axis\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{}\">{:.6g}</text>\n",
                       scale.x(value), kHeight - kBottom + 3 * kLabelGap, value);
  }
  svg += fmt::format("<text class=\"axis\" x=\"0\" y=\"10\">ms</text>");
  svg += fmt::format("<text class=\"axis\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">tokens put out before</text>\n",
                     (kLeft + kWidth - kRight) / 2, kHeight - kLabelGap);
  return svg;
}

}  // namespace

double axis_step(double largest) {
  constexpr double kLabels = 5;
  const double rough = largest / kLabels;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

std::string itl_chart(const std::vector<RequestRecord>& requests) {
  const std::vector<Dot> dots = dots_of(requests);
  if (dots.empty()) return "";
  constexpr double kLeastMs = 1e-3;  // an axis needs a length
  Scale scale{1, kLeastMs};
  for (const Dot& dot : dots) {
    scale.largest_x = std::max(scale.largest_x, dot.tokens_before);
    scale.largest_y = std::max(scale.largest_y, dot.ms);
  }

  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"inter-token latency in milliseconds, "
      "by tokens put out before\">\n",
      kWidth, kHeight);
  svg += axes(scale);
  for (const Dot& dot : dots) {
    svg += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", scale.x(dot.tokens_before),
                       scale.y(dot.ms), kDotRadius);
  }
  return svg + "</svg>\n";
}

}  // namespace stagecraft
