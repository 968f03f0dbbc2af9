/// @file
/// Bars and curves.
#include "stages/plan/plan_charts.h"

#include <algorithm>

#include <fmt/format.h>

#include "stages/core/svg_plot.h"
#include "stages/plan/plan_text.h"

namespace stagecraft {
namespace {

constexpr double kLoss = 1.005;  // what rounds to more than one
constexpr double kBarPitch = 34, kBarTop = 0.5, kBarBottom = 0.92, kNameBaseline = 0.36;

/// Bars below each other, each with its name and value above it.
class BarChart {
 public:
  BarChart(const PlotText& text, size_t bars, double largest)
      : bars_(double(bars)), plot_(text, largest, bars_, frame_for(bars)) {}

  void add(const std::string& name, const std::string& value, double length, std::string_view classes) {
    const double top = bars_ - double(next_++);
    plot_.text(0, plot_.y(top - kNameBaseline), name, "name");
    plot_.text(plot_.frame().width - plot_.frame().right, plot_.y(top - kNameBaseline), value, "value",
               TextAnchor::end);
    plot_.area({0, length}, {top - kBarTop, top - kBarBottom}, classes);
  }
  void mark(double at) { plot_.curve({{at, 0}, {at, bars_}}, "curve other dashed"); }
  std::string svg() const { return plot_.svg(); }

 private:
  static PlotFrame frame_for(size_t bars) {
    PlotFrame frame{.left = 0, .right = 1, .top = 0, .bottom = 0};
    frame.height = kBarPitch * double(bars);
    return frame;
  }

  double bars_;
  SvgPlot plot_;
  int next_ = 0;
};

std::string curve_chart(const PlotText& text, const SvgPlot::Points& points, std::optional<double> target) {
  if (points.empty()) return "";
  double largest = target.value_or(0);
  for (const auto& [x, y] : points) largest = std::max(largest, y);
  SvgPlot plot(text, points.back().first, largest);
  if (target) plot.curve({{0, *target}, {points.back().first, *target}}, "curve other dashed");
  plot.curve(points, "curve");
  for (const auto& [x, y] : points) plot.dot(x, y, "dot");
  return plot.svg();
}

}  // namespace

std::string memory_chart(const ServicePlan& plan, const Service& service) {
  const MemoryPlan& memory = plan.evaluation.memory;
  const Demand& demand = service.demand;
  const int64_t used = plan.evaluation.best
                           ? std::min(memory.kv_room, plan.evaluation.best->requests *
                                                          kv_bytes(service.deployment, demand.typical_tokens()))
                           : 0;
  const std::vector<std::tuple<const char*, int64_t, const char*>> parts = {
      {"weights", memory.weights, "dot"},
      {"activations", memory.activations, "soft"},
      {"K/V at full load, on average", used, "second"},
      {"K/V, free", memory.kv_room - used, "soft"},
      {"left to driver and fragmentation", memory.left_out, "soft"}};
  std::string description = fmt::format("of {}:", gigabytes(double(memory.total)));
  for (const auto& [name, bytes, classes] : parts)
    description += fmt::format(" {} {};", name, gigabytes(double(bytes)));
  const double largest = std::max(double(memory.total), double(memory.weights));
  BarChart chart({"Memory of a replica", description, "", ""}, parts.size(), largest);
  for (const auto& [name, bytes, classes] : parts) chart.add(name, gigabytes(double(bytes)), double(bytes), classes);
  return chart.svg();
}

std::string tpot_chart(const std::vector<OperatingPoint>& sweep, double target_ms) {
  SvgPlot::Points points;
  for (const OperatingPoint& point : sweep) points.emplace_back(double(point.requests), point.tpot_ms);
  if (points.empty()) return "";
  return curve_chart({"TPOT over requests at a time",
                      fmt::format("From {:.2f} ms alone to {:.2f} ms at {:.0f}; dashed the target of {:g} ms",
                                  points.front().second, points.back().second, points.back().first, target_ms),
                      "requests at a time", "TPOT, ms"},
                     points, target_ms);
}

std::string throughput_chart(const std::vector<OperatingPoint>& sweep) {
  SvgPlot::Points points;
  for (const OperatingPoint& point : sweep) points.emplace_back(double(point.requests), point.tokens_per_s);
  if (points.empty()) return "";
  return curve_chart({"Throughput over requests at a time",
                      fmt::format("From {:.0f} output tokens a second alone to {:.0f} at {:.0f}", points.front().second,
                                  points.back().second, points.back().first),
                      "requests at a time", "output tok/s"},
                     points, std::nullopt);
}

std::string lever_chart(const ServicePlan& plan, const Service& service) {
  struct Bar {
    std::string name;
    double ratio;
  };
  std::vector<Bar> bars;
  double largest = 1;
  std::string description = "Cost of a request as a multiple of the service as it is:";
  for (const LeverResult& lever : plan.levers) {
    const LeverNumbers::Pair cost = numbers_of(lever, plan, service).gpu_seconds;
    if (!cost.before || !cost.after) continue;
    bars.push_back({lever.lever.name, *cost.after / *cost.before});
    description += fmt::format(" {} {:.2f};", bars.back().name, bars.back().ratio);
  }
  if (bars.empty()) return "";
  constexpr double kLongest = 4;  // what loses more than this would make the others too short to compare
  for (const Bar& bar : bars) largest = std::max(largest, std::min(bar.ratio, kLongest));
  BarChart chart({"What each lever does to the cost of a request", description, "", ""}, bars.size(), largest);
  for (const Bar& bar : bars) {
    chart.add(bar.name, fmt::format("x{:.2f}", bar.ratio), std::min(bar.ratio, kLongest),
              bar.ratio > kLoss ? "second" : "dot");
  }
  chart.mark(1);
  return chart.svg();
}

}  // namespace stagecraft
