#include "stages/compare/ladder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

using Value = std::optional<double>;

Value whole(const std::optional<int64_t>& count) { return count ? Value(double(*count)) : std::nullopt; }
Value p50(const std::optional<Summary>& summary) { return summary ? Value(summary->p50) : std::nullopt; }
Value p99(const std::optional<Summary>& summary) { return summary ? Value(summary->p99) : std::nullopt; }

/// All rounds of one stage lie on one side of all rounds of the other.
bool apart(const Spread& low, const Spread& high) { return low.most < high.least; }

Change change_of(const Metric& metric, const Spread& before, const Spread& now) {
  const bool up = metric.timed() ? apart(before, now) : before.median < now.median;
  const bool down = metric.timed() ? apart(now, before) : now.median < before.median;
  if (!up && !down) return Change::none;
  return up == (metric.better == Better::more) ? Change::gain : Change::loss;
}

}  // namespace

Figures figures_of(const RunReport& report) {
  return {report.counts, report.totals, latency_summary(report.log.requests)};
}

std::vector<Metric> ladder_metrics() {
  using F = const Figures&;
  constexpr Better less = Better::less, more = Better::more;
  return {
      {"forward_passes", "forward passes", less, Kind::count, [](F f) { return whole(f.counts.forward_passes); }},
      {"tokens_forwarded", "tokens forwarded", less, Kind::count, [](F f) { return whole(f.counts.tokens_forwarded); }},
      {"tokens_recomputed", "of them recomputed", less, Kind::count,
       [](F f) { return whole(f.counts.tokens_recomputed); }},
      {"padded_tokens", "padded slots", less, Kind::count, [](F f) { return whole(f.counts.padded_tokens); }},
      {"weight_bytes_read", "weight bytes read", less, Kind::bytes,
       [](F f) { return whole(f.counts.weight_bytes_read); }},
      {"kv_bytes_reserved_peak", "K/V bytes reserved", less, Kind::bytes,
       [](F f) { return whole(f.counts.kv_bytes_reserved_peak); }},
      {"kv_bytes_used_peak", "K/V bytes used, peak", less, Kind::bytes,
       [](F f) { return whole(f.counts.kv_bytes_used_peak); }},
      {"ttft_p50_ms", "TTFT p50, ms", less, Kind::milliseconds, [](F f) { return p50(f.latency.ttft); }},
      {"ttft_p99_ms", "TTFT p99, ms", less, Kind::milliseconds, [](F f) { return p99(f.latency.ttft); }},
      {"itl_p50_ms", "ITL p50, ms", less, Kind::milliseconds, [](F f) { return p50(f.latency.itl); }},
      {"itl_p99_ms", "ITL p99, ms", less, Kind::milliseconds, [](F f) { return p99(f.latency.itl); }},
      {"e2e_p50_ms", "E2E p50, ms", less, Kind::milliseconds, [](F f) { return p50(f.latency.e2e); }},
      {"duration_ms", "all requests, ms", less, Kind::milliseconds, [](F f) { return Value(f.totals.duration_ms); }},
      {"output_tokens_per_s", "output tok/s", more, Kind::rate, [](F f) { return f.totals.output_tokens_per_s; }},
  };
}

Metric metric_of(std::string_view key) {
  const std::vector<Metric> metrics = ladder_metrics();
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.key == key; });
  check(found != metrics.end(), "the metric exists");
  return *found;
}

std::optional<Spread> spread_of(const Metric& metric, const StageRuns& runs) {
  std::vector<double> values;
  for (const RunReport& report : runs.rounds) {
    if (const Value value = metric.value(figures_of(report))) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Spread{percentile(values, 50), values.front(), values.back()};
}

LadderCell compare_cells(const Metric& metric, const std::optional<Spread>& before, const std::optional<Spread>& now) {
  LadderCell cell{now, std::nullopt, Change::none};
  if (!now) return cell;
  cell.change = change_of(metric, before.value_or(Spread{}), *now);
  if (before && before->median > 0) cell.ratio = now->median / before->median;
  return cell;
}

std::vector<LadderRow> ladder_of(const std::vector<StageRuns>& stages) {
  std::vector<LadderRow> rows;
  for (const Metric& metric : ladder_metrics()) {
    LadderRow row{metric, {}};
    std::optional<Spread> before;
    for (size_t i = 0; i < stages.size(); ++i) {
      const std::optional<Spread> now = spread_of(metric, stages[i]);
      row.cells.push_back(i == 0 ? LadderCell{now, std::nullopt, Change::none} : compare_cells(metric, before, now));
      before = now;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string value_text(Kind kind, double value) {
  if (kind == Kind::count || kind == Kind::bytes) return with_commas(std::llround(value));
  return fmt::format("{:.2f}", value);
}

}  // namespace stagecraft
