#pragma once
/// @file
/// lab.json and predict.json: what a lab consists of. Everything else (the command line, ctest, exports, tables in the
/// documentation) is made from this.
#include <optional>
#include <string>
#include <vector>

#include "labs/program/places.h"

namespace stagecraft::labs {

struct CheckInfo {
  std::string id;     // "lab00.t1.c2"
  std::string title;  // what must hold, as a sentence
  std::string kind;   // behaviour, findings, counts or clock
  double points = 0;
  std::string visibility = "visible";  // on Gradescope; of an instructor's hidden checks: "hidden" or later
};

struct TaskInfo {
  std::string id;  // "lab00.t1"
  std::string title;
  std::string kind;                // kernel, engine or test
  std::vector<std::string> files;  // that hold its regions
  std::vector<std::string> needs;  // tasks that must pass before: else its checks are blocked
  std::vector<CheckInfo> checks;
};

/// How an answer is judged: equal, or within a factor either way.
struct QuestionInfo {
  std::string id;                  // "lab00.q1"
  std::string text;                // with all constants it needs
  std::string unit;                // "sectors"
  std::string deliverable;         // "one whole number, sectors"
  double factor = 1;               // 1: exact
  std::vector<std::string> needs;  // tasks that the measurement runs
  std::string afterwards;          // what the number teaches; shown once it is judged
  double points = 0;
  std::string
      bench;  // the figure of `lab bench` that it asks for: tokens_per_s, speedup, forwarded, recomputed; or empty
};

/// How `lab bench` compares: a stage's program as it is, and with the learner's code in it.
struct BenchInfo {
  std::string program;   // "stage1_naive"
  std::string previous;  // the stage before, or empty
  std::vector<std::string> arguments;
  std::vector<std::string>
      wrap;  // functions of the engine that bench/*.cpp put themselves before, as the linker knows them
  std::vector<std::string> needs;  // tasks
};

struct LabInfo {
  std::string id;      // "lab00"
  std::string folder;  // "lab00_simulator"
  int number = 0;
  std::string title;
  int minutes = 0;
  int difficulty = 1;  // of 5
  double seconds_per_check = 10;
  int memory_mb = 2048;
  std::vector<std::string> files;  // what the learner edits
  std::vector<TaskInfo> tasks;
  std::vector<QuestionInfo> questions;
  std::optional<BenchInfo> bench;

  const TaskInfo* task(const std::string& task_id) const;
  double points() const;
  Path path(const Places& places) const { return places.labs() / folder; }
  Path solutions(const Places& places) const { return places.source / "solutions" / folder; }
};

/// Reads lab.json and predict.json of a folder. Throws BadInput that names the file and what is wrong in it.
LabInfo read_lab(const Path& folder);

/// All labs, by number.
std::vector<LabInfo> read_labs(const Places& places);

/// The lab that an id belongs to ("lab00", "lab00.t1", "lab00.t1.c2", "lab00.q1"; "0" is short for "lab00"). Throws
/// BadInput for an id that is not there.
const LabInfo& lab_of(const std::vector<LabInfo>& labs, const std::string& id);

/// Whether `id` is `whole`, or a part of it: "lab00.t1.c2" is a part of "lab00.t1".
bool is_part_of(const std::string& id, const std::string& whole);

/// "labs/lab00_simulator/include/warmup.h:12", where the contract names `id`; empty if nowhere.
std::string contract_line(const Places& places, const LabInfo& lab, const std::string& id);

}  // namespace stagecraft::labs
