#pragma once
/// @file
/// What has happened in the cells of a run: a matrix in which nothing was ever preempted proves nothing about preemption.
#include <map>
#include <string>
#include <vector>

#include "tests/engines/cell_run.h"

namespace stagecraft::testing {

class Coverage {
 public:
  /// All events are known from the beginning, so that those that never happen can be named.
  Coverage();

  void add(const Cell& cell, const CellRun& run);

  /// Events that have not happened.
  std::vector<std::string> missing() const;

  /// A line an event: how often it happened, and in how many cells.
  std::string table() const;

 private:
  struct Count {
    int64_t events = 0, cells = 0;
  };

  void count(const std::string& event, int64_t times);
  void count_engine(const Cell& cell);
  void count_requests(const Cell& cell, const RunLog& log);
  void count_steps(const Cell& cell, const RunLog& log);
  void count_drafts(const Cell& cell, const RunLog& log);

  std::map<std::string, Count> counts_;
};

}  // namespace stagecraft::testing
