#pragma once
/// @file
/// A chart as inline SVG: axes with round numbers from 0 on, and what is drawn between them; no library. It is as wide
/// as a phone, and scales with its column. Colours come from the page (html_page.cpp) by CSS class.
///
///     top    |  y label
///            |---------------- grid
///            |      marks
///            |________________
///     bottom    0    5    10    x label
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stagecraft {

/// Sizes in the units of the view box.
struct PlotFrame {
  double width = 400, height = 220;
  double left = 52, right = 14, top = 22, bottom = 38;
};

/// Who cannot see a chart hears title and description.
struct PlotText {
  std::string title, description;
  std::string x_label, y_label;
};

enum class TextAnchor { start, middle, end };

class SvgPlot {
 public:
  using Points = std::vector<std::pair<double, double>>;

  /// Axes from 0 to the largest values; those that are not positive count as a length too small to see. An axis without
  /// a label in `text` is not drawn.
  SvgPlot(const PlotText& text, double largest_x, double largest_y, const PlotFrame& frame = {});

  /// From values to the view box.
  double x(double value) const;
  double y(double value) const;
  const PlotFrame& frame() const { return frame_; }

  // What follows takes values, not places.
  void dot(double x_value, double y_value, std::string_view classes);
  /// Straight lines from point to point; nothing for fewer than two.
  void curve(const Points& points, std::string_view classes);
  /// The area from the axis up to these points, whose x do not fall.
  void fill(const Points& points, std::string_view classes);
  /// The area between two x and two y, in any order.
  void area(std::pair<double, double> x_values, std::pair<double, double> y_values, std::string_view classes);

  // And this one places, for what stands beside the axes.
  void text(double at_x, double at_y, std::string_view text, std::string_view classes,
            TextAnchor anchor = TextAnchor::start);

  /// The whole chart.
  std::string svg() const { return svg_ + "</svg>\n"; }

 private:
  std::string places_of(const Points& points) const;
  void x_axis(const std::string& label);
  void y_axis(const std::string& label);

  PlotFrame frame_;
  double largest_x_, largest_y_;
  std::string svg_;
};

/// The step between axis labels: 1, 2 or 5 times a power of ten, so that about five fit below `largest` (> 0).
double axis_step(double largest);

}  // namespace stagecraft
