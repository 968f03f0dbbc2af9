#pragma once
/// @file
/// What stage 5 has to say about its work: how well the blocks are used, what sharing saved, what preemption cost.
#include <vector>

#include "stages/core/run_report.h"

namespace stagecraft {

/// Tokens of a run that no pass computed because they were stored already.
int64_t tokens_found(const RunLog& log);

/// Lines for the tables: those of all stages with a scheduler, then those of paging. A count that differs from its law
/// is a bug: throws std::logic_error.
std::vector<WorkLine> paged_work(const RunReport& report);

}  // namespace stagecraft
