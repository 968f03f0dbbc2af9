/// @file
/// Plain columns: times in milliseconds, to the right.
#include "stages/core/latency_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stagecraft {

std::vector<std::pair<std::string_view, Summary>> latency_rows(const RunReport& report) {
  const LatencySummary latency = latency_summary(report.log.requests);
  std::vector<std::pair<std::string_view, Summary>> rows;
  const auto add = [&](std::string_view name, const std::optional<Summary>& summary) {
    if (summary) rows.emplace_back(name, *summary);
  };
  add("queue time", latency.queue);
  add("time to first token", latency.ttft);
  add("inter-token latency", latency.itl);
  add("time per output token", latency.tpot);
  add("end to end", latency.e2e);
  return rows;
}

std::string throughput_line(const Totals& totals) {
  std::string line =
      fmt::format("{} output tokens in {:.2f} s", with_commas(totals.output_tokens), totals.duration_ms / 1000);
  if (totals.output_tokens_per_s) line += fmt::format("; output tokens/s {:.1f}", *totals.output_tokens_per_s);
  if (totals.total_tokens_per_s) line += fmt::format(", with the prompts' {:.1f}", *totals.total_tokens_per_s);
  if (totals.requests_per_s) line += fmt::format("; requests/s {:.2f}", *totals.requests_per_s);
  if (totals.mbu) line += fmt::format("; MBU {:.1f} %", 100 * *totals.mbu);
  if (totals.mfu) line += fmt::format("; MFU {:.1f} %", 100 * *totals.mfu);
  return line;
}

std::string goodput_line(const RunReport& report) {
  if (!report.slo) return "";
  const Goodput goodput = goodput_of(report.log, *report.slo);
  std::string targets;
  if (std::isfinite(report.slo->ttft_ms)) targets += fmt::format(" TTFT {:g} ms", report.slo->ttft_ms);
  if (std::isfinite(report.slo->tpot_ms)) {
    targets += fmt::format("{} TPOT {:g} ms", targets.empty() ? "" : ",", report.slo->tpot_ms);
  }
  return fmt::format("goodput: {} of {} requests within{}; {:.2f} requests/s", goodput.met, goodput.requests, targets,
                     goodput.requests_per_s);
}

std::string latency_table(const RunReport& report) {
  std::string table =
      fmt::format("{:<22}{:>8}{:>11}{:>11}{:>11}{:>11}\n", "latency, ms", "n", "mean", "p50", "p90", "p99");
  bool any_unreliable = false;
  for (const auto& [name, summary] : latency_rows(report)) {
    any_unreliable |= !summary.p99_reliable();
    table += fmt::format("{:<22}{:>8}{:>11.2f}{:>11.2f}{:>11.2f}{:>11.2f}{}\n", name, summary.count, summary.mean,
                         summary.p50, summary.p90, summary.p99, summary.p99_reliable() ? "" : "~");
  }
  if (any_unreliable) table += fmt::format("{}\n", kUnreliableP99);
  table += fmt::format("\n{}\n", throughput_line(report.totals));
  if (report.slo) table += goodput_line(report) + "\n";
  table += "\n";
  for (const WorkLine& line : report.work)
    table += fmt::format("{:<22}{:>19}   {}\n", line.name, line.value, line.remark);
  return table;
}

}  // namespace stagecraft
