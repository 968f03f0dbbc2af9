#pragma once
/// @file
/// Runs checks one by one, each in a process of its own, and writes every result down as it comes.
#include <functional>
#include <string>
#include <vector>

#include "labs/program/hidden_tests.h"
#include "labs/program/learner_build.h"
#include "labs/program/predictions.h"
#include "labs/program/results.h"

namespace stagecraft::labs {

struct GradeOptions {
  std::string what;  // an id: the lab, a task, a check, a question
  uint64_t seed = 1;
  bool profile = false;
  HiddenTests hidden;
  std::function<void(const CheckResult&)> on_result = [](const CheckResult&) {};
};

/// One check or question, without looking at what it builds on. `program` is labNN_checks, `runner` the learner's.
CheckResult run_check(const LabInfo& lab, const std::string& program, const Path& runner, const std::string& id,
                      double points, const GradeOptions& options);

/// All checks and questions that `options.what` names. `results` holds what is known and is brought up to date; with a
/// `state` folder it is saved after each check. `predictions` learn what was judged.
void grade(const LabInfo& lab, const std::string& program, const LearnerBuild& build, const GradeOptions& options,
           LabResults& results, Predictions& predictions, const Path& state);

}  // namespace stagecraft::labs
