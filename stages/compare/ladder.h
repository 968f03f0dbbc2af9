#pragma once
/// @file
/// The ladder: what each stage counted and measured, against the stage before it. Gains and losses stand side by side.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stages/compare/runs.h"

namespace stagecraft {

/// All that can be said of one run.
struct Figures {
  Counts counts;
  Totals totals;
  LatencySummary latency;
};

Figures figures_of(const RunReport& report);

enum class Better { less, more };
enum class Kind { count, bytes, milliseconds, rate };

struct Metric {
  std::string_view key;   // in JSON
  std::string_view name;  // for people, with the unit
  Better better;
  Kind kind;
  std::optional<double> (*value)(const Figures&);  // absent: the stage does not have it

  /// Counts are the same in each round of a schedule that does not depend on time; times never are.
  bool timed() const { return kind == Kind::milliseconds || kind == Kind::rate; }
};

/// In the order of the table.
std::vector<Metric> ladder_metrics();
/// The one of that key.
Metric metric_of(std::string_view key);

/// A metric over the rounds of a stage.
struct Spread {
  double median = 0, least = 0, most = 0;

  /// (most - least) / median, in percent; 0 if the median is.
  double percent() const { return median > 0 ? 100 * (most - least) / median : 0; }
};

std::optional<Spread> spread_of(const Metric& metric, const StageRuns& runs);

/// How a value stands to that of the stage before. Times count as changed only if all rounds agree: the ranges do not
/// overlap.
enum class Change { none, gain, loss };

struct LadderCell {
  std::optional<Spread> value;
  std::optional<double> ratio;  // median / median of the stage before; absent where that is 0 or absent
  Change change = Change::none;
};

/// What became of `before` is `now`. A cost that the stage before did not have at all is a loss.
LadderCell compare_cells(const Metric& metric, const std::optional<Spread>& before, const std::optional<Spread>& now);

struct LadderRow {
  Metric metric;
  std::vector<LadderCell> cells;  // (stages)
};

std::vector<LadderRow> ladder_of(const std::vector<StageRuns>& stages);

/// A value of `kind` for people: "12,345" or "12.35".
std::string value_text(Kind kind, double value);

}  // namespace stagecraft
