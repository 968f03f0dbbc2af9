#include "labs/program/bench_table.h"

#include <optional>

#include <fmt/format.h>

namespace stagecraft::labs {
namespace {

std::string ratio_text(const Contestant& mine, const Contestant& other) {
  if (&mine == &other) return "1";
  const Ratio ratio = ratio_of(mine, other);
  return fmt::format("{:.2f} ({:.2f} to {:.2f}){}", ratio.median, ratio.least, ratio.most,
                     ratio.conclusive ? "" : " inconclusive");
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "-"; }

std::string row(const std::string& what, const std::optional<double>& predicted, const std::optional<double>& ideal,
                const std::optional<double>& measured) {
  return fmt::format("  {:<40}{:>12}{:>12}{:>12}\n", what, number(predicted), number(ideal), number(measured));
}

/// The learner's answer to the question about this figure of the bench.
std::optional<double> predicted(const std::string& figure, const LabInfo& lab, const Predictions& predictions) {
  for (const QuestionInfo& question : lab.questions) {
    const auto answer = predictions.find(question.id);
    if (question.bench == figure && answer != predictions.end()) return answer->second.value;
  }
  return std::nullopt;
}

double rounded(double value, double to) { return double(int64_t(value / to + 0.5)) * to; }

}  // namespace

std::string speed_table(const Comparison& comparison) {
  const Contestant& mine = comparison.contestants[comparison.mine];
  std::string text =
      fmt::format("  {:<38}{:>9}  {:>10}{:>11}  {}\n", "", "tokens/s", "forwarded", "recomputed", "yours to this");
  for (const Contestant& one : comparison.contestants) {
    text += fmt::format("  {:<38}{:>9.2f}  {:>10}{:>11}  {}\n", one.name, one.tokens_per_s(), one.runs[0].forwarded,
                        one.runs[0].recomputed, ratio_text(mine, one));
  }
  return text;
}

std::string prediction_table(const Comparison& comparison, const LabInfo& lab, const Predictions& predictions,
                             const LabResults& results) {
  const Contestant& mine = comparison.contestants[comparison.mine];
  const StageRun& run = mine.runs[0];
  const auto said = [&](const char* figure) { return predicted(figure, lab, predictions); };
  constexpr double kHundredths = 0.01;
  std::string text = fmt::format("  {:<40}{:>12}{:>12}{:>12}\n", "yours", "predicted", "ideal", "measured");
  text += row("tokens/s", said("tokens_per_s"), rounded(ideal_tokens_per_s(run, comparison.machine), kHundredths),
              rounded(mine.tokens_per_s(), kHundredths));
  if (comparison.mine > 0) {
    const Contestant& previous = comparison.contestants[0];
    const double ideal =
        ideal_tokens_per_s(run, comparison.machine) / ideal_tokens_per_s(previous.runs[0], comparison.machine);
    text += row("times the previous stage", said("speedup"), rounded(ideal, kHundredths),
                rounded(ratio_of(mine, previous).median, kHundredths));
  }
  text += row("tokens forwarded", said("forwarded"), std::nullopt, double(run.forwarded));
  text += row("tokens recomputed", said("recomputed"), 0.0, double(run.recomputed));
  for (const QuestionInfo& question : lab.questions) {
    if (!question.bench.empty()) continue;
    const auto answer = predictions.find(question.id);
    const std::string measured = results.of(question.id, 0).measured;
    if (answer == predictions.end() || measured.empty()) continue;
    text += row(question.id + ", " + question.unit, answer->second.value, std::nullopt, std::atof(measured.c_str()));
  }
  return text;
}

}  // namespace stagecraft::labs
