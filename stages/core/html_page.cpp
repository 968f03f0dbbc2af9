/// @file
/// The frame of a page, its style, and tables.
#include "stages/core/html_page.h"

#include <fmt/format.h>

namespace stagecraft {
namespace {

// Text of charts is in the units of their view box, which is as wide as a phone: smaller where there is more room.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1c1c1e; --quiet: #5f6368; --line: #dadce0; --page: #ffffff; --dot: #1a5fb4;
        --second: #b3541e; --soft: #c3d7f0; --loss: #a8071a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --quiet: #9aa0a6; --line: #3c4043; --page: #17181a; --dot: #78aeed; --second: #f0a56b;
          --soft: #47699b; --loss: #ff8a80; }
}
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif;
       color: var(--ink); background: var(--page); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p.quiet, td.quiet, summary { color: var(--quiet); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); }
th, td { text-align: right; padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child, td.quiet { text-align: left; }
tbody th { font-weight: normal; }
td.loss { color: var(--loss); font-weight: 600; }
svg { display: block; width: 100%; max-width: 36rem; height: auto; } svg text { font-size: 12.5px; fill: var(--quiet); }
.grid { stroke: var(--line); } .dot { fill: var(--dot); } .second { fill: var(--second); } .soft { fill: var(--soft); }
.curve { fill: none; stroke: var(--dot); stroke-width: 2; } .curve.other { stroke: var(--second); }
.dashed { stroke-dasharray: 5 3; } .whisker { stroke: var(--ink); } svg text.value, svg text.name { fill: var(--ink); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid var(--line); padding-left: 1rem; font: inherit; }
@media (max-width: 40rem) {
  table.stack thead { position: absolute; clip-path: inset(50%); }
  table.stack, table.stack caption, table.stack tbody, table.stack tr { display: block; }
  table.stack th, table.stack td { display: flex; justify-content: space-between; border: 0; padding: 0.1rem 0; }
  table.stack tbody th { font-weight: 600; }
  table.stack tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  table.stack td::before { content: attr(data-label); color: var(--quiet); font-weight: normal; margin-right: 1rem; }
}
)";

// The roles stand there for readers that forget what a table is once it is laid out as blocks.
std::string head_of(const HtmlTable& table) {
  std::string html = "<thead role=\"rowgroup\"><tr role=\"row\">";
  for (const std::string& name : table.head) {
    html += fmt::format("<th role=\"columnheader\" scope=\"col\">{}</th>", escaped(name));
  }
  return html + "</tr></thead>\n";
}

std::string row_of(const HtmlTable& table, const std::vector<HtmlCell>& row) {
  std::string html = fmt::format("<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">{}</th>",
                                 row.empty() ? "" : escaped(row.front().text));
  for (size_t column = 1; column < row.size(); ++column) {
    const std::string_view classes = row[column].classes;
    html += fmt::format("<td role=\"cell\"{} data-label=\"{}\">{}</td>",
                        classes.empty() ? "" : fmt::format(" class=\"{}\"", classes), escaped(table.head[column]),
                        escaped(row[column].text));
  }
  return html + "</tr>\n";
}

}  // namespace

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

std::string html_page(std::string_view title, std::string_view body, std::string_view more_style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}{2}</style></head>\n<body>\n"
      "<main>\n<h1>{0}</h1>\n{3}</main></body></html>\n",
      escaped(title), kStyle, more_style, body);
}

std::string stacking_table(const HtmlTable& table) {
  std::string html = "<table class=\"stack\" role=\"table\">\n";
  if (!table.caption.empty()) html += fmt::format("<caption>{}</caption>\n", escaped(table.caption));
  html += head_of(table) + "<tbody role=\"rowgroup\">\n";
  for (const std::vector<HtmlCell>& row : table.rows) html += row_of(table, row);
  return html + "</tbody></table>\n";
}

std::string folded_table(const HtmlTable& table) {
  return "<details><summary>as a table</summary>\n" + stacking_table(table) + "</details>\n";
}

}  // namespace stagecraft
