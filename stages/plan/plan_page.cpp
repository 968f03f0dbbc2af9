/// @file
/// Sections of the page.
#include "stages/plan/plan_page.h"

#include <fmt/format.h>

#include "stages/core/html_page.h"
#include "stages/plan/plan_charts.h"
#include "stages/plan/plan_text.h"

namespace stagecraft {
namespace {

using Row = std::vector<HtmlCell>;

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", escaped(title), body);
}

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& lines) {
  HtmlTable table{"", {"what", "value"}, {}};
  for (const auto& [name, value] : lines) table.rows.push_back({{name}, {value}});
  return lines.empty() ? "" : stacking_table(table);
}

std::string summary(const PlanReport& report) {
  const ServicePlan& plan = *report.plan;
  const Demand& demand = report.question.service->demand;
  const Evaluation& evaluation = plan.evaluation;
  std::vector<std::pair<std::string, std::string>> lines = {
      {"a request alone", fmt::format("TTFT {:.1f} ms, TPOT {:.2f} ms", evaluation.ttft_ms, evaluation.tpot_alone_ms)},
      {"requests whose K/V fit",
       fmt::format("{}, of the longest {}", evaluation.concurrent, evaluation.concurrent_longest)}};
  if (evaluation.best) {
    lines.emplace_back("full",
                       fmt::format("{} at a time: TPOT {:.1f} ms, {:.0f} output tok/s", evaluation.best->requests,
                                   evaluation.best->tpot_ms, evaluation.best->tokens_per_s));
  }
  if (plan.capacity) {
    lines.emplace_back("within the targets",
                       fmt::format("{:.2f} requests/s (TTFT {:g} ms and TPOT {:g} ms for {:.0f}% of them)",
                                   plan.capacity->requests_per_s, demand.slo.ttft_ms, demand.slo.tpot_ms,
                                   100 * plan.capacity->attainment));
  }
  if (plan.sizing) {
    lines.emplace_back("cards at the peak",
                       fmt::format("{}, {:.0f}% used, {:.0f}% over the day", plan.sizing->gpus,
                                   100 * plan.sizing->peak_utilisation, 100 * plan.sizing->mean_utilisation));
  }
  if (const auto price = output_price(report))
    lines.emplace_back("a million output tokens", fmt::format("{:.4g}", *price));
  return two_columns(lines);
}

std::string sweep_section(const ServicePlan& plan, const Demand& demand) {
  if (plan.sweep.empty()) return "";
  HtmlTable table{"", {"requests at a time", "TPOT, ms", "output tok/s", "requests/s"}, {}};
  for (const OperatingPoint& point : plan.sweep) {
    const bool slow = point.tpot_ms > demand.slo.tpot_ms;
    table.rows.push_back({{fmt::format("{}", point.requests)},
                          {fmt::format("{:.2f}", point.tpot_ms), slow ? "loss" : ""},
                          {fmt::format("{:.0f}", point.tokens_per_s)},
                          {fmt::format("{:.2f}", point.requests_per_s)}});
  }
  return tpot_chart(plan.sweep, demand.slo.tpot_ms) + throughput_chart(plan.sweep) + folded_table(table);
}

HtmlCell change_cell(const LeverNumbers::Pair& pair) {
  const bool loss = pair.before && (!pair.after || *pair.after > *pair.before * 1.005);
  return {change_text(pair.before, pair.after), loss ? "loss" : ""};
}

std::string lever_section(const ServicePlan& plan, const Service& service) {
  HtmlTable table{"less is better; one change at a time",
                  {"lever", "change", "cost a request", "TTFT alone", "TPOT alone", "its price"},
                  {}};
  for (const LeverResult& lever : plan.levers) {
    const LeverNumbers numbers = numbers_of(lever, plan, service);
    table.rows.push_back({{lever.lever.name},
                          {lever.lever.change, "quiet"},
                          change_cell(numbers.gpu_seconds),
                          change_cell(numbers.ttft_ms),
                          change_cell(numbers.tpot_ms),
                          {lever.lever.price, "quiet"}});
  }
  return lever_chart(plan, service) + stacking_table(table);
}

std::string assumptions(const PlanQuestion& question) {
  const Gpu& gpu = question.service->deployment.gpu;
  std::string html = "<ul>\n";
  std::vector<std::string> lines = assumptions_of(*question.service);
  lines.push_back("model: " + question.model_source);
  lines.push_back("card: " + gpu.source + (gpu.unchecked.empty() ? "" : "; not checked: " + gpu.unchecked));
  for (const std::string& line : lines) html += fmt::format("<li>{}</li>\n", escaped(line));
  return html + "</ul>\n";
}

std::string title_of(const PlanReport& report) {
  if (!report.plan) return "plan: an API";
  const Deployment& deployment = report.question.service->deployment;
  return fmt::format("plan: {} on {} x {}", deployment.shape.name, deployment.gpus, deployment.gpu.name);
}

}  // namespace

std::string plan_page(const PlanReport& report) {
  std::string body;
  if (report.plan) {
    const Service& service = *report.question.service;
    body += summary(report) + section("Memory", memory_chart(*report.plan, service));
    body += section("Batching", sweep_section(*report.plan, service.demand));
    body += section("Levers", lever_section(*report.plan, service));
  }
  body += section("The same from an API", two_columns(api_lines(report)));
  body += section("An agent", two_columns(chain_lines(report)));
  if (report.plan) body += section("Assumed", assumptions(report.question));
  return html_page(title_of(report), body);
}

}  // namespace stagecraft
