/// @file
/// A template with five holes. Text from outside (model names, output) is escaped.
#include "stages/core/html_report.h"

#include <string_view>

#include <fmt/format.h>

#include "stages/core/itl_chart.h"
#include "stages/core/latency_table.h"

namespace stagecraft {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1c1c1e; --quiet: #5f6368; --line: #dadce0; --page: #ffffff; --dot: #1a5fb4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --quiet: #9aa0a6; --line: #3c4043; --page: #17181a; --dot: #78aeed; }
}
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif;
       color: var(--ink); background: var(--page); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p.quiet, td.quiet { color: var(--quiet); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child, td.quiet { text-align: left; }
svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--quiet); }
.grid { stroke: var(--line); } .dot { fill: var(--dot); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid var(--line); padding-left: 1rem; font: inherit; }
)";

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
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
  return html + fmt::format("<p>{}</p>\n", throughput_line(report.totals));
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
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n",
      title, kStyle);
  html +=
      fmt::format("<p class=\"quiet\">{}, {}, {} parameters in {}; {}, {} threads{}</p>\n", escaped(report.model.name),
                  escaped(report.model.architecture), with_commas(report.model.parameters), report.model.dtype,
                  report.device, report.threads, report.cpu ? "; " + escaped(*report.cpu) : "");
  html += latency_section(report);
  const std::string chart = itl_chart(report.log.requests);
  if (!chart.empty()) html += "<h2>Waiting for the next token</h2>\n" + chart;
  return html + work_section(report) + output_section(report) + "</body></html>\n";
}

}  // namespace stagecraft
