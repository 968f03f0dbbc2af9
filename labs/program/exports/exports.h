#pragma once
/// @file
/// One record of results in the formats that others read. All text here is made from LabInfo and LabResults alone.
#include <string>
#include <vector>

#include "labs/program/manifest.h"
#include "labs/program/results.h"

namespace stagecraft::labs {

/// A lab and what is known of it.
struct LabRecord {
  const LabInfo& lab;
  LabResults results;
};

/// JUnit XML: a test suite a lab, a test case a check; skipped ones are skipped, and say why.
std::string junit_xml(const LabRecord& record);

/// Gradescope's results.json (autograder specification): the score, and of each test score, max_score, status, name,
/// number, output, tags and visibility; a leaderboard of points and counted work.
std::string gradescope_json(const LabRecord& record);

/// Progress of all labs, for programs: {"version": 1, "labs": [{id, title, points, of, tasks: [...]}]}.
std::string progress_json(const std::vector<LabRecord>& records);

/// The same as one page without scripts or other files.
std::string progress_html(const std::vector<LabRecord>& records);

/// What a failing check says, without colours.
std::string plain_failure(const CheckResult& result);

}  // namespace stagecraft::labs
