#pragma once
/// @file
/// What `lab bench` prints, once all outputs are equal.
#include <string>
#include <vector>

#include "labs/program/bench_runs.h"
#include "labs/program/predictions.h"
#include "labs/program/results.h"

namespace stagecraft::labs {

/// The contestants in their order: maybe the previous stage, then yours, last the reference.
struct Comparison {
  std::vector<Contestant> contestants;
  size_t mine = 0;  // index of yours
  MachineSpeed machine;
};

/// A line a contestant: tokens/s over the rounds, how yours compares, what was forwarded.
std::string speed_table(const Comparison& comparison);

/// Predicted, ideal and measured: the figures of the comparison, then the lab's other questions.
std::string prediction_table(const Comparison& comparison, const LabInfo& lab, const Predictions& predictions,
                             const LabResults& results);

}  // namespace stagecraft::labs
