/// @file
/// Axes and marks.
#include "stages/core/svg_plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "stages/core/html_page.h"

namespace stagecraft {
namespace {

constexpr double kLeastLength = 1e-6;  // an axis needs a length
constexpr double kDotRadius = 2.5;
constexpr double kLabelGap = 6;
constexpr double kTextHeight = 13;
constexpr double kTolerance = 1e-9;  // the last label is not lost to rounding

constexpr std::string_view name_of(TextAnchor anchor) {
  return anchor == TextAnchor::start ? "start" : anchor == TextAnchor::middle ? "middle" : "end";
}

/// An axis label: "1.5M" instead of 1500000, which would not fit.
std::string short_number(double value) {
  constexpr double kMillion = 1e6, kThousand = 1e3;
  if (value >= kMillion) return fmt::format("{:.6g}M", value / kMillion);
  if (value >= 10 * kThousand) return fmt::format("{:.6g}k", value / kThousand);
  return fmt::format("{:.6g}", value);
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

SvgPlot::SvgPlot(const PlotText& text, double largest_x, double largest_y, const PlotFrame& frame)
    : frame_(frame), largest_x_(std::max(largest_x, kLeastLength)), largest_y_(std::max(largest_y, kLeastLength)) {
  svg_ = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title><desc>{}</desc>\n", frame_.width,
                     frame_.height, escaped(text.title), escaped(text.description));
  if (!text.y_label.empty()) y_axis(text.y_label);
  if (!text.x_label.empty()) x_axis(text.x_label);
}

double SvgPlot::x(double value) const {
  return frame_.left + value / largest_x_ * (frame_.width - frame_.left - frame_.right);
}

double SvgPlot::y(double value) const {
  return frame_.height - frame_.bottom - value / largest_y_ * (frame_.height - frame_.top - frame_.bottom);
}

void SvgPlot::x_axis(const std::string& label) {
  const double baseline = frame_.height - frame_.bottom;
  const double step = axis_step(largest_x_);
  for (int i = 0; i * step <= largest_x_ * (1 + kTolerance); ++i) {
    text(x(i * step), baseline + kTextHeight + kLabelGap / 2, short_number(i * step), "axis", TextAnchor::middle);
  }
  text((frame_.left + frame_.width - frame_.right) / 2, frame_.height - kLabelGap, label, "axis", TextAnchor::middle);
}

void SvgPlot::y_axis(const std::string& label) {
  const double step = axis_step(largest_y_);
  for (int i = 0; i * step <= largest_y_ * (1 + kTolerance); ++i) {
    const double at = y(i * step);
    svg_ += fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>", frame_.left, at,
                        frame_.width - frame_.right, at);
    text(frame_.left - kLabelGap, at + kTextHeight / 3, short_number(i * step), "axis", TextAnchor::end);
  }
  text(0, kTextHeight, label, "axis");
}

void SvgPlot::dot(double x_value, double y_value, std::string_view classes) {
  svg_ += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", classes, x(x_value), y(y_value),
                      kDotRadius);
}

std::string SvgPlot::places_of(const Points& points) const {
  std::string places;
  for (const auto& [at_x, at_y] : points) places += fmt::format("{:.1f},{:.1f} ", x(at_x), y(at_y));
  return places;
}

void SvgPlot::curve(const Points& points, std::string_view classes) {
  if (points.size() < 2) return;
  svg_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", classes, places_of(points));
}

void SvgPlot::fill(const Points& points, std::string_view classes) {
  if (points.size() < 2) return;
  svg_ += fmt::format("<polygon class=\"{}\" points=\"{}{}\"/>\n", classes, places_of(points),
                      places_of({{points.back().first, 0}, {points.front().first, 0}}));
}

void SvgPlot::area(std::pair<double, double> x_values, std::pair<double, double> y_values, std::string_view classes) {
  const auto [left, right] = std::minmax({x(x_values.first), x(x_values.second)});
  const auto [top, bottom] = std::minmax({y(y_values.first), y(y_values.second)});
  svg_ += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", classes,
                      left, top, right - left, bottom - top);
}

void SvgPlot::text(double at_x, double at_y, std::string_view text, std::string_view classes, TextAnchor anchor) {
  svg_ += fmt::format("<text class=\"{}\" text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", classes,
                      name_of(anchor), at_x, at_y, escaped(text));
}

}  // namespace stagecraft
