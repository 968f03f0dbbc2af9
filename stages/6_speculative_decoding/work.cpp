/// @file
/// Counts and times of drafts.
#include "stages/6_speculative_decoding/work.h"

#include <algorithm>

#include <fmt/format.h>

#include "stages/5_paged_attention/work.h"
#include "stages/6_speculative_decoding/break_even.h"

namespace stagecraft {
namespace {

/// "1: 81.0 %, 2: 60.3 %": of those drafted at each place, how many were accepted.
std::string by_position(const AcceptanceCounts& counts) {
  std::string text;
  for (size_t i = 0; i < counts.by_position().size(); ++i) {
    const AcceptanceCounts::Position& at = counts.by_position()[i];
    text += fmt::format("{}{}: {}", i ? ", " : "", i + 1, percent(double(at.accepted), double(at.proposed)));
  }
  return text;
}

/// Milliseconds of a pass in which everybody writes, on average; nothing if there is none.
std::optional<double> writing_pass_ms(const RunLog& log) {
  double ms = 0;
  int64_t passes = 0;
  for (const StepRecord& step : log.steps) {
    const bool all_write =
        std::all_of(step.parts.begin(), step.parts.end(), [](const StepPart& part) { return part.rows == 1; });
    if (!all_write) continue;
    ms += milliseconds(step.start, step.forwarded);
    ++passes;
  }
  if (passes == 0 || ms <= 0) return std::nullopt;
  return ms / double(passes);
}

double rate_of(const RunLog& log) { return totals_of(log, {}, 0, {}).output_tokens_per_s.value_or(0); }

}  // namespace

AcceptanceCounts acceptance_of(const RunLog& log) {
  AcceptanceCounts counts;
  for (const StepRecord& step : log.steps) {
    for (const StepPart& part : step.parts) {
      if (part.drafted > 0) counts.add(size_t(part.drafted), size_t(part.accepted));
    }
  }
  return counts;
}

std::optional<DraftStepTimes> draft_step_times(const RunLog& log) {
  DraftStepTimes sum;
  int64_t steps = 0, drafts = 0, tokens = 0;
  for (const StepRecord& step : log.steps) {
    const int64_t before = drafts;
    for (const StepPart& part : step.parts) {
      drafts += part.drafted > 0 ? 1 : 0;
      tokens += part.drafted;
    }
    if (drafts == before) continue;
    ++steps;
    sum.drafting += step.draft_ms.value_or(0);
    sum.verifying += milliseconds(step.start, step.forwarded);
  }
  if (steps == 0) return std::nullopt;
  return DraftStepTimes{sum.drafting / double(steps), sum.verifying / double(steps), double(tokens) / double(drafts)};
}

std::vector<WorkLine> speculative_work(const RunReport& report, const DraftReport& drafts) {
  const AcceptanceCounts counts = acceptance_of(report.log);
  std::vector<WorkLine> lines = paged_work(report);
  lines.push_back({"drafter", "", drafts.drafter});
  if (drafts.complaint) lines.push_back({"drafter failed", "", *drafts.complaint});
  lines.push_back({"tokens proposed", with_commas(counts.proposed()),
                   fmt::format("{} accepted, {}", with_commas(counts.accepted()),
                               percent(double(counts.accepted()), double(counts.proposed())))});
  if (counts.proposed() == 0) return lines;
  lines.push_back({"accepted by position", fmt::format("{:.1f} %", 100 * counts.acceptance()),
                   by_position(counts) + "; the value: of a token, if those before it were"});
  lines.push_back({"tokens a target call", fmt::format("{:.2f}", counts.tokens_per_call()),
                   "of a request that had a draft; 1 without"});
  if (drafts.work.passes > 0) {
    lines.push_back({"draft model", with_commas(drafts.work.passes),
                     fmt::format("passes of {} rows in all", with_commas(drafts.work.rows))});
  }
  return lines;
}

std::vector<WorkLine> baseline_lines(const RunReport& speculative, const RunLog& baseline) {
  const double with = rate_of(speculative.log), without = rate_of(baseline);
  if (without <= 0) return {};
  std::vector<WorkLine> lines{
      {"without drafts, tok/s", fmt::format("{:.1f}", without),
       fmt::format("with drafts {:.1f}: x{:.2f}{}", with, with / without, with < without ? ", a loss" : "")}};
  const std::optional<DraftStepTimes> times = draft_step_times(speculative.log);
  const std::optional<double> plain = writing_pass_ms(baseline);
  if (!times || !plain) return lines;
  const AcceptanceCounts counts = acceptance_of(speculative.log);
  const StepCost cost{times->drafting / times->length / *plain, times->verifying / *plain};
  const int length = std::max(1, int(times->length + 0.5));
  const std::optional<double> from = break_even_acceptance(length, cost);
  lines.push_back({"break-even predicts", fmt::format("x{:.2f}", counts.tokens_per_call() / cost.of(length)),
                   fmt::format("{:.2f} tokens a call; a drafted token costs {:.2f} passes, the verifying pass {:.2f}",
                               counts.tokens_per_call(), cost.per_draft_token, cost.verify)});
  lines.push_back({"break-even acceptance", from ? fmt::format("{:.1f} %", 100 * *from) : "none",
                   from
                       ? fmt::format("of a token, for drafts of {}; it was {:.1f} %", length, 100 * counts.acceptance())
                       : fmt::format("drafts of {} lose even when all is accepted", length)});
  return lines;
}

}  // namespace stagecraft
