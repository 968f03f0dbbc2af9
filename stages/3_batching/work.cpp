/// @file
/// Counts, laws and rates of a static batch.
#include "stages/3_batching/work.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/3_batching/padding.h"
#include "stages/core/counting_laws.h"

namespace stagecraft {
namespace {

constexpr double kMsPerSecond = 1000, kGiga = 1e9;

struct Laws {
  int64_t forwarded = 0, drawn = 0;
};

Laws laws_of(const RunReport& report) {
  Laws laws;
  for (const RequestRecord& request : report.log.requests) {
    const int64_t output = int64_t(request.output_ids.size());
    laws.forwarded += cached_tokens_forwarded(request.prompt_tokens, output);
    laws.drawn += output;
  }
  return laws;
}

std::string point_text(const std::optional<Roofline>& roofline, double kv_length) {
  if (!roofline) return "give --read-bandwidth and --peak-gflops (bench measures both) to see it";
  const std::optional<double> rows = roofline->rows_to_leave_memory(kv_length);
  if (!rows)
    return fmt::format("never: at {:.0f} stored tokens a row, its K/V take longer than its arithmetic", kv_length);
  return fmt::format("at {:.1f} rows a step of {:.0f} stored tokens each", *rows, kv_length);
}

}  // namespace

std::optional<DecodeRate> decode_rate(const RunLog& log, const StepBytes& bytes) {
  DecodeRate rate;
  double ms = 0;
  int64_t rows = 0, stored = 0;
  for (const StepRecord& step : log.steps) {
    const bool decodes =
        std::all_of(step.parts.begin(), step.parts.end(), [](const StepPart& part) { return part.rows == 1; });
    if (!decodes) continue;
    ++rate.steps;
    ms += milliseconds(step.start, step.forwarded);
    for (const StepPart& part : step.parts) {
      ++rows;
      stored += part.kv_length;
    }
  }
  if (rate.steps == 0 || ms <= 0) return std::nullopt;
  const double seconds = ms / kMsPerSecond;
  rate.rows = double(rows) / double(rate.steps);
  rate.kv_length = double(stored) / double(rows);
  rate.tokens_per_s = double(rows) / seconds;
  rate.bytes_per_s = (double(rate.steps * bytes.weights) + double(stored * bytes.kv_per_token)) / seconds;
  return rate;
}

WorkLine rate_line(std::string name, const DecodeRate& rate, const std::optional<Roofline>& roofline) {
  WorkLine line{std::move(name), fmt::format("{:.1f} tok/s", rate.tokens_per_s),
                fmt::format("{:.1f} rows a step; {:.2f} GB/s", rate.rows, rate.bytes_per_s / kGiga)};
  if (!roofline) return line;
  const double memory = roofline->memory_seconds(rate.rows * rate.kv_length);
  const double arithmetic = roofline->arithmetic_seconds(rate.rows);
  line.remark += fmt::format("; roofline {:.1f} tok/s, the limit is {}", rate.rows / std::max(memory, arithmetic),
                             memory > arithmetic ? "memory" : "arithmetic");
  return line;
}

std::vector<WorkLine> batching_work(const RunReport& report, const StepBytes& bytes) {
  const Laws laws = laws_of(report);
  const Counts& counts = report.counts;
  const std::vector<BatchLengths> batches = batches_of(report.log);
  const Padding padding = padding_law(batches);
  check(counts.forward_passes == padding.steps, "a batch takes as many passes as its longest output");
  check(counts.tokens_forwarded == laws.forwarded, "a batch forwards p + n - 1 tokens of each request");
  check(counts.padded_tokens.value_or(0) == padding.padded, "padding is B x max - sum(lengths)");

  std::vector<WorkLine> lines{
      {"batches", with_commas(int64_t(batches.size())), "each runs until its slowest request has ended"},
      {"forward passes", with_commas(counts.forward_passes),
       fmt::format("stage 2 makes {}: one a token", with_commas(laws.drawn))},
      {"tokens forwarded", with_commas(counts.tokens_forwarded),
       "law: p + n - 1 of each = " + with_commas(laws.forwarded)},
      {"weight bytes read", with_commas(counts.weight_bytes_read),
       fmt::format("once a pass for all rows; alone, each row would read them: {}",
                   with_commas(laws.drawn * bytes.weights))},
      {"padded slots", with_commas(padding.padded),
       fmt::format("law: 1 - sum(lengths) / (B x max) = {} of {}",
                   percent(double(padding.padded), double(padding.slots)), with_commas(padding.slots))},
      {"K/V bytes reserved", with_commas(counts.kv_bytes_reserved_peak),
       fmt::format("{} at most are used: each place is as long as the longest request",
                   percent(double(counts.kv_bytes_used_peak), double(counts.kv_bytes_reserved_peak)))},
  };
  const std::optional<DecodeRate> rate = decode_rate(report.log, bytes);
  if (!rate) return lines;
  const auto roofline = roofline_of(bytes.weights, bytes.kv_per_token, report.model.parameters, report.limits);
  lines.push_back(rate_line("decoding", *rate, roofline));
  lines.push_back({"memory stops limiting", "", point_text(roofline, rate->kv_length)});
  return lines;
}

}  // namespace stagecraft
