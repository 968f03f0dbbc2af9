#pragma once
/// @file
/// What is known of a learner's lab: one record a check, kept in work/labNN/.lab/results.json. All exports are made from
/// it.
#include <map>
#include <string>
#include <vector>

#include "labs/program/manifest.h"

namespace stagecraft::labs {

enum class Outcome {
  pass,
  fail,
  todo,     // not written yet
  not_run,  // needs what this machine has not
  timeout,
  crash,
  error,   // the grader's own trouble, or code that it does not run
  blocked  // a task that it builds on does not pass
};

/// "pass", "not run", ...
const char* name_of(Outcome outcome);
/// The outcome called so; `error` for a name that is none.
Outcome outcome_named(const std::string& name);

/// Counts as failed in the last line.
bool is_failure(Outcome outcome);
/// Counts as skipped: neither passed nor failed, and never green.
bool is_skipped(Outcome outcome);

struct CheckResult {
  std::string id;
  Outcome outcome = Outcome::error;
  double points = 0, of = 0;
  uint64_t seed = 0;
  double seconds = 0;
  std::string input;
  std::vector<std::string> steps;
  std::string expected, got;
  std::string finding;    // of the simulator, beside what failed
  std::string printed;    // the end of what the learner's code printed
  std::string measured;   // of a question
  double share_used = 0;  // counted work as a share of what the contract allows; 0: the check has none
  std::string profile;    // the simulator's, if it was asked for
};

struct LabResults {
  std::string started;  // of the latest run, UTC
  std::map<std::string, CheckResult> checks;

  /// The record of a check; a `todo` without text if there is none.
  CheckResult of(const std::string& id, double points) const;
  bool passes(const TaskInfo& task) const;
};

struct Tally {
  int passed = 0, failed = 0, skipped = 0;
  double points = 0;    // earned
  double gradable = 0;  // of what can be graded on this machine
  double of = 0;        // in all

  void add(const CheckResult& result);
};

/// The tally of a whole lab.
Tally tally_of(const LabInfo& lab, const LabResults& results);

/// What is stored; nothing, if there is nothing or it cannot be read.
LabResults load_results(const Path& state);
void save_results(const Path& state, const LabResults& results);

/// Now, as 2026-11-30T01:02:03Z.
std::string time_stamp();

}  // namespace stagecraft::labs
