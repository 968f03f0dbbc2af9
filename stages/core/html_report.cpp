/// @file
/// Section by section. Text from outside (model names, output) is escaped.
#include "stages/core/html_report.h"

#include <fmt/format.h>

#include "stages/core/block_map_chart.h"
#include "stages/core/html_page.h"
#include "stages/core/itl_chart.h"
#include "stages/core/latency_table.h"
#include "stages/core/run_panels.h"

namespace stagecraft {
namespace {

constexpr int kFirstServingStage = 4;  // from here on requests come and go, so that a run has a course

/// `body` under a heading; nothing if there is none.
std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", escaped(title), body);
}

std::string latency_section(const RunReport& report) {
  std::string html =
      "<h2>Latency, ms</h2>\n<table><tr><th></th><th>n</th><th>mean</th><th>p50</th><th>p90</th><th>p99</th></tr>\n";
  bool any_unreliable = false;
  for (const auto& [name, s] : latency_rows(report)) {
    any_unreliable |= !s.p99_reliable();
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.2f}{}</td></tr>\n",
                    name, s.count, s.mean, s.p50, s.p90, s.p99, s.p99_reliable() ? "" : "~");
  }
  html += "</table>\n";
  if (any_unreliable) html += fmt::format("<p class=\"quiet\">{}</p>\n", kUnreliableP99);
  html += fmt::format("<p>{}</p>\n", throughput_line(report.totals));
  return report.slo ? html + fmt::format("<p>{}</p>\n", goodput_line(report)) : html;
}

std::string work_section(const RunReport& report) {
  std::string html = "<h2>Work, counted</h2>\n<table>\n";
  for (const WorkLine& line : report.work) {
    html += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"quiet\">{}</td></tr>\n", escaped(line.name),
                        escaped(line.value), escaped(line.remark));
  }
  return html + "</table>\n";
}

std::string output_section(const RunReport& report) {
  std::string html = "<h2>Output</h2>\n";
  for (const RequestRecord& request : report.log.requests) {
    html += fmt::format("<p class=\"quiet\">request {}: {} prompt tokens, {} output tokens, {}</p>\n<pre>{}</pre>\n",
                        request.id, request.prompt_tokens, request.output_ids.size(), name_of(request.finish_reason),
                        escaped(request.text));
  }
  return html;
}

}  // namespace

std::string html_report(const RunReport& report) {
  const std::string title = fmt::format("Stage {}: {}", report.stage.number, report.stage.name);
  std::string html =
      fmt::format("<p class=\"quiet\">{}, {}, {} parameters in {}; {}, {} threads{}</p>\n", escaped(report.model.name),
                  escaped(report.model.architecture), with_commas(report.model.parameters), report.model.dtype,
                  report.device, report.threads, report.cpu ? "; " + escaped(*report.cpu) : "");
  html += latency_section(report);
  if (report.stage.number >= kFirstServingStage) html += section("Over time", run_panels(report.log, report.slo));
  const std::string chart = itl_chart(report.log.requests);
  if (!chart.empty()) html += "<h2>Waiting for the next token</h2>\n" + chart;
  const std::string blocks = block_map_chart(report.log);
  if (!blocks.empty()) {
    html +=
        "<h2>Blocks over time</h2>\n" + blocks +
        "<p class=\"quiet\">A colour a request. Dark: shared by several. Grey: held by nobody, kept for whoever has "
        "the same prefix. Empty: free.</p>\n";
  }
  return html_page(title, html + work_section(report) + output_section(report), panel_style());
}

}  // namespace stagecraft
