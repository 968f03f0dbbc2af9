#pragma once
/// @file
/// Kernel tasks on a GPU. The labs check kernels in the simulator, which sees more than a GPU does: bad addresses, races,
/// sectors. What was not run on a GPU has a column of its own, is in no denominator, and is never shown as passed.
#include "labs/program/results.h"

namespace stagecraft::labs {

/// Whether a GPU could run the task: it has kernels.
bool has_gpu_column(const TaskInfo& task);

/// What a GPU said of a task with kernels, under the id "lab00.t1.gpu": `not run`, and why. No check runs there today.
CheckResult on_gpu(const TaskInfo& task);

/// One line about all kernel tasks of a lab; empty if it has none.
std::string gpu_line(const LabInfo& lab);

}  // namespace stagecraft::labs
