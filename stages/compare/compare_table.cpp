#include "stages/compare/compare_table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "stages/core/latency_table.h"

namespace stagecraft {
namespace {

std::string limits_text(const MachineLimits& limits) {
  std::string text;
  if (limits.read_bandwidth_gbs) text += fmt::format("; reads {:.1f} GB/s", *limits.read_bandwidth_gbs);
  if (limits.peak_gflops) text += fmt::format("; {:.1f} GFLOP/s", *limits.peak_gflops);
  return text;
}

std::string ladder_text(const Comparison& comparison) {
  std::string text = fmt::format("{:<24}", "");
  for (const StageRuns& stage : comparison.stages) text += fmt::format("{:>23} ", heading_of(stage.info));
  text += fmt::format("{:>7}\n", "spread");
  for (const LadderRow& row : ladder_of(comparison.stages)) {
    text += fmt::format("{:<24}", marked_name(row.metric, comparison));
    double widest = 0;
    for (const LadderCell& cell : row.cells) {
      text += fmt::format("{:>15} {:>7} ", cell.value ? value_text(row.metric.kind, cell.value->median) : "-",
                          ratio_text(cell));
      if (cell.value) widest = std::max(widest, cell.value->percent());
    }
    text += fmt::format("{:>6.0f}%\n", widest);
  }
  return text;
}

std::string sweep_text(const std::vector<BatchPoint>& sweep) {
  if (sweep.empty()) return "";
  std::string text = "\noutput tok/s over batch size, all requests at the start, one run each\n";
  for (const BatchPoint& point : sweep) {
    text += fmt::format("{:<24}{:>4} {:>12.1f}", heading_of(point.stage), point.batch, point.tokens_per_s);
    if (point.predicted_tokens_per_s) text += fmt::format("   roofline {:>10.1f}", *point.predicted_tokens_per_s);
    text += "\n";
  }
  return text;
}

std::string predictions_text(const Comparison& comparison) {
  if (!comparison.prediction) return "";
  std::string text =
      fmt::format("\n{:<24}{:<20}{:>12}{:>12}{:>9}\n", "prediction", "", "measured", "roofline", "error");
  for (const StageRuns& stage : comparison.stages) {
    for (const Prediction& prediction : predictions_for(stage, *comparison.prediction)) {
      text += fmt::format("{:<24}{:<20}{:>12.2f}{:>12.2f}{:>+8.0f}%\n", heading_of(stage.info), prediction.metric.name,
                          prediction.measured, prediction.predicted, prediction.error_percent());
    }
  }
  return text;
}

std::string slice_text(const TraceSlice& slice) {
  std::string text = fmt::format("\ncontinuous over static: {}\n{:<30}{:>12}{:>15}{:>8}{:>16}\n", slice.name, "clock",
                                 "static, ms", "continuous, ms", "ratio", "of the first");
  for (const SliceRow& row : slice.rows) {
    text += fmt::format("{:<30}{:>12.1f}{:>15.1f}   x{:.2f}{:>14.0f} %{}\n", row.clock, row.static_ms,
                        row.continuous_ms, row.ratio(), 100 * slice.share(row),
                        row.spread_percent ? fmt::format("   spread {:.0f}%", *row.spread_percent) : "");
  }
  return text;
}

}  // namespace

std::string heading_of(const StageInfo& stage) { return fmt::format("{} {}", stage.number, stage.name); }

std::string machine_line(const Comparison& comparison) {
  const RunReport& report = comparison.first_report();
  return fmt::format("model {} ({} parameters, {}); device {}, {} threads{}{}", report.model.name,
                     with_commas(report.model.parameters), report.model.dtype, report.device, report.threads,
                     report.cpu ? "; " + *report.cpu : "", limits_text(comparison.machine));
}

std::string workload_line(const Comparison& comparison) {
  const WorkloadSummary& workload = comparison.workload;
  return fmt::format(
      "{}: {} requests, {} prompt tokens, {} output tokens; at most {} requests and {} rows a step; median of {} "
      "rounds in turn",
      workload.name, with_commas(workload.requests), with_commas(workload.prompt_tokens),
      with_commas(workload.output_tokens), comparison.limits.batch, comparison.limits.token_budget,
      comparison.stages.front().rounds.size());
}

std::string marked_name(const Metric& metric, const Comparison& comparison) {
  const LatencySummary latency = latency_summary(comparison.first_report().log.requests);
  const std::map<std::string_view, std::optional<Summary>> marked = {{"ttft_p99_ms", latency.ttft},
                                                                     {"itl_p99_ms", latency.itl}};
  const auto found = marked.find(metric.key);
  const bool unreliable = found != marked.end() && found->second && !found->second->p99_reliable();
  return std::string(metric.name) + (unreliable ? " ~" : "");
}

std::string ratio_text(const LadderCell& cell) {
  const std::string mark = cell.change == Change::loss ? "!" : "";
  if (!cell.ratio) return mark;
  constexpr double kLarge = 100;
  return fmt::format("x{:.{}f}{}", *cell.ratio, *cell.ratio < kLarge ? 2 : 0, mark);
}

std::string comparison_table(const Comparison& comparison) {
  std::string text = fmt::format("{}\n{}\noutputs: the same tokens in all stages\n\n", machine_line(comparison),
                                 workload_line(comparison));
  text += ladder_text(comparison);
  text += fmt::format("x: against the stage before; spread: (largest - least) / median, of the widest stage\n{}\n{}\n",
                      kLossLegend, kUnreliableP99);
  text += sweep_text(comparison.sweep) + predictions_text(comparison);
  for (const TraceSlice& slice : comparison.slices) text += slice_text(slice);
  return text;
}

}  // namespace stagecraft
