/// @file
/// Section by section. A section whose data are not there is left out.
#include "stages/compare/compare_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "stages/compare/charts.h"
#include "stages/compare/compare_table.h"
#include "stages/compare/kv_chart.h"
#include "stages/compare/request_timeline.h"
#include "stages/core/html_page.h"
#include "stages/core/latency_table.h"

namespace stagecraft {
namespace {

constexpr std::string_view kStyle = R"(
body { max-width: 72rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem 2.5rem; }
figure { margin: 0; } figcaption { font-weight: 600; margin-bottom: 0.3rem; }
.key::before { content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.3em; }
.key { margin-right: 1em; white-space: nowrap; } .key.dot::before { background: var(--dot); }
.key.second::before { background: var(--second); } .key.soft::before { background: var(--soft); }
.key.line::before { height: 0; border-top: 2px dashed var(--second); vertical-align: middle; }
)";

std::string heading(std::string_view title, std::string_view explanation) {
  return fmt::format("<h2>{}</h2>\n<p class=\"quiet\">{}</p>\n", title, explanation);
}

std::string panel(std::string_view caption, const std::string& chart) {
  if (chart.empty()) return "";
  return fmt::format("<figure><figcaption>{}</figcaption>\n{}</figure>\n", escaped(caption), chart);
}

std::string panels(const std::string& content) { return "<div class=\"panels\">\n" + content + "</div>\n"; }

HtmlTable ladder_table(const Comparison& comparison, const std::vector<LadderRow>& rows) {
  HtmlTable table{"", {""}, {}};
  for (const StageRuns& stage : comparison.stages) table.head.push_back(heading_of(stage.info));
  for (const LadderRow& row : rows) {
    std::vector<HtmlCell> cells{{marked_name(row.metric, comparison)}};
    for (const LadderCell& cell : row.cells) {
      std::string text = cell.value ? value_text(row.metric.kind, cell.value->median) : "-";
      if (cell.value && row.metric.timed()) text += fmt::format(" ±{:.0f}%", cell.value->percent() / 2);
      cells.push_back({text + " " + ratio_text(cell), cell.change == Change::loss ? "loss" : ""});
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string ladder_section(const Comparison& comparison) {
  const std::vector<LadderRow> rows = ladder_of(comparison.stages);
  std::string charts;
  for (const LadderRow& row : rows) {
    for (const char* key : {"ttft_p50_ms", "itl_p50_ms", "e2e_p50_ms", "output_tokens_per_s"}) {
      if (row.metric.key == key) charts += panel(row.metric.name, ladder_chart(row, comparison.stages));
    }
  }
  return heading("The ladder",
                 "Each stage on the same requests, with the ratio to the stage before it. "
                 "<span class=\"key dot\">stage</span><span class=\"key second\">worse than the stage before</span>"
                 "The thin line reaches from the fastest to the slowest round.") +
         panels(charts) + "<h2>All figures</h2>\n" + stacking_table(ladder_table(comparison, rows)) +
         fmt::format("<p class=\"quiet\">{}<br>{}</p>\n", escaped(kLossLegend), escaped(kUnreliableP99));
}

std::string throughput_section(const Comparison& comparison) {
  if (comparison.sweep.empty()) return "";
  HtmlTable table{"Output tokens a second", {"stage, requests a step", "measured", "roofline"}, {}};
  for (const BatchPoint& point : comparison.sweep) {
    table.rows.push_back({{fmt::format("{}, {}", heading_of(point.stage), point.batch)},
                          {fmt::format("{:.1f}", point.tokens_per_s)},
                          {point.predicted_tokens_per_s ? fmt::format("{:.1f}", *point.predicted_tokens_per_s) : "-"}});
  }
  std::string charts;
  const double largest = largest_throughput(comparison.sweep);
  for (const StageRuns& stage : comparison.stages) {
    charts += panel(heading_of(stage.info), throughput_chart(stage.info, comparison.sweep, largest));
  }
  std::string explanation = "The same requests, all at the start, served at most so many at a time; one run each.";
  if (comparison.sweep.front().predicted_tokens_per_s) {
    explanation += " <span class=\"key dot\">measured</span><span class=\"key line\">what the roofline allows</span>";
  }
  return heading("Throughput over batch size", explanation) + panels(charts) + folded_table(table);
}

std::string kv_section(const Comparison& comparison) {
  HtmlTable table{"K/V bytes", {"stage", "reserved", "used, peak", "used, on average"}, {}};
  std::string charts;
  int64_t largest = 0;
  for (const StageRuns& stage : comparison.stages) {
    largest = std::max(largest, stage.typical().counts.kv_bytes_reserved_peak);
  }
  for (const StageRuns& stage : comparison.stages) {
    const RunReport& report = stage.typical();
    charts += panel(heading_of(stage.info), kv_chart(report, largest));
    table.rows.push_back({{heading_of(stage.info)},
                          {with_commas(report.counts.kv_bytes_reserved_peak)},
                          {with_commas(report.counts.kv_bytes_used_peak)},
                          {fmt::format("{:.0f} %", 100 * kv_use(report))}});
  }
  return heading("K/V memory over time",
                 "<span class=\"key dot\">used</span><span class=\"key line\">reserved</span>Each stage on a time axis "
                 "of its own.") +
         panels(charts) + folded_table(table);
}

HtmlTable timeline_table(const RunReport& report) {
  HtmlTable table{"Milliseconds after the start", {"request", "arrival", "scheduled", "first token", "last token"}, {}};
  const auto ms = [&](TimePoint at) { return fmt::format("{:.1f}", milliseconds(report.log.start, at)); };
  for (size_t i = 0; i < std::min(report.log.requests.size(), kTimelineRequests); ++i) {
    const RequestRecord& request = report.log.requests[i];
    const bool any = !request.chunks.empty();
    table.rows.push_back({{std::to_string(request.id)},
                          {ms(request.arrival)},
                          {request.scheduled ? ms(*request.scheduled) : "-"},
                          {any ? ms(request.chunks.front().at) : "-"},
                          {any ? ms(request.chunks.back().at) : "-"}});
  }
  return table;
}

std::string timeline_section(const Comparison& comparison) {
  std::string charts;
  for (const StageRuns& stage : comparison.stages) {
    const std::string chart = timeline_chart(stage.typical());
    if (!chart.empty()) charts += panel(heading_of(stage.info), chart + folded_table(timeline_table(stage.typical())));
  }
  return heading("Timeline of requests",
                 fmt::format("A row a request{}, in the order of arrival, in steps of the round of median duration. "
                             "<span class=\"key soft\">waits</span><span class=\"key second\">reads its prompt</span>"
                             "<span class=\"key dot\">writes</span>Each stage on a time axis of its own.",
                             comparison.workload.requests > int64_t(kTimelineRequests)
                                 ? fmt::format(" (the first {})", kTimelineRequests)
                                 : "")) +
         panels(charts);
}

std::string prediction_section(const Comparison& comparison) {
  if (!comparison.prediction) return "";
  HtmlTable table{"", {"stage, figure", "measured", "roofline", "error"}, {}};
  for (const StageRuns& stage : comparison.stages) {
    for (const Prediction& prediction : predictions_for(stage, *comparison.prediction)) {
      table.rows.push_back({{fmt::format("{}, {}", heading_of(stage.info), prediction.metric.name)},
                            {fmt::format("{:.2f}", prediction.measured)},
                            {fmt::format("{:.2f}", prediction.predicted)},
                            {fmt::format("{:+.0f} %", prediction.error_percent())}});
    }
  }
  return heading("Predicted and measured",
                 "The roofline of this machine's read bandwidth and arithmetic, on the steps that were taken.") +
         stacking_table(table);
}

std::string slice_section(const Comparison& comparison) {
  if (comparison.slices.empty()) return "";
  std::string html = heading("Continuous over static batching on a conversation trace",
                             "The same requests by several clocks; the last column compares the ratio with the first "
                             "row's, where every step takes the same time.");
  for (const TraceSlice& slice : comparison.slices) {
    HtmlTable table{slice.name, {"clock", "static, ms", "continuous, ms", "ratio", "of the first"}, {}};
    for (const SliceRow& row : slice.rows) {
      table.rows.push_back({{row.clock},
                            {fmt::format("{:.1f}", row.static_ms)},
                            {fmt::format("{:.1f}", row.continuous_ms)},
                            {fmt::format("x{:.2f}", row.ratio())},
                            {fmt::format("{:.0f} %", 100 * slice.share(row))}});
    }
    html += stacking_table(table) + "<p></p>\n";
  }
  return html;
}

}  // namespace

std::string comparison_page(const Comparison& comparison) {
  std::string body = fmt::format("<p class=\"quiet\">{}<br>{}</p>\n<p>All stages gave the same tokens.</p>\n",
                                 escaped(machine_line(comparison)), escaped(workload_line(comparison)));
  body += ladder_section(comparison) + throughput_section(comparison) + kv_section(comparison) +
          timeline_section(comparison) + prediction_section(comparison) + slice_section(comparison);
  return html_page("The stages compared", body, kStyle);
}

}  // namespace stagecraft
