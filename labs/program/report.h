#pragma once
/// @file
/// Results for people: one line a task, and of a failing check all that is needed to go on.
#include <string>

#include "labs/program/console.h"
#include "labs/program/manifest.h"
#include "labs/program/results.h"

namespace stagecraft::labs {

/// "  t1 add two vectors     5/5  pass", and `more` behind it.
std::string task_line(const Console& console, const TaskInfo& task, const LabResults& results, const std::string& more);
std::string question_line(const Console& console, const QuestionInfo& question, const LabResults& results);

/// Input, seed, steps, expected and got, the contract's line, the hint to ask for, the command that runs it again.
std::string failure_text(const Console& console, const Places& places, const LabInfo& lab, const CheckInfo& check,
                         const CheckResult& result);

/// "3 passed, 1 failed, 4 skipped"
std::string last_line(const Tally& tally);

}  // namespace stagecraft::labs
