#pragma once
/// @file
/// What stage 6 has to say about its work: what was guessed, what was right, what it cost, and whether it paid.
#include <optional>
#include <vector>

#include "stages/6_speculative_decoding/acceptance.h"
#include "stages/6_speculative_decoding/engine.h"
#include "stages/core/run_report.h"

namespace stagecraft {

/// The drafts of a run, by the shares of steps that had some.
AcceptanceCounts acceptance_of(const RunLog& log);

/// Milliseconds of the steps that verified drafts, on average over these steps.
struct DraftStepTimes {
  double drafting = 0;   // before the pass
  double verifying = 0;  // the pass
  double length = 0;     // drafted tokens of a request
};

/// Nothing if no step had a draft.
std::optional<DraftStepTimes> draft_step_times(const RunLog& log);

/// Lines for the tables: those of stage 5, then those of speculation.
std::vector<WorkLine> speculative_work(const RunReport& report, const DraftReport& drafts);

/// Lines that set a run with drafts beside one of the same jobs without: the factor measured, the factor that the
/// arithmetic of break_even.h makes of the measured parts, and the acceptance from which drafts would pay.
std::vector<WorkLine> baseline_lines(const RunReport& speculative, const RunLog& baseline);

}  // namespace stagecraft
