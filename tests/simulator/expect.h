#pragma once
/// @file
/// What the tests expect of findings.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/simulator/config.h"
#include "kernels/simulator/findings.h"
#include "kernels/simulator/profile.h"
#include "kernels/simulator/simt.h"
#include "tests/catch.h"

namespace simulator_tests {

/// Findings, profile and error state of one test case only.
struct FreshSimulator {
  FreshSimulator() { clear(); }
  ~FreshSimulator() { clear(); }

 private:
  static void clear() {
    simt::clear_findings();
    simt::clear_profile();
    simt::config() = simt::Config{};
    cudaGetLastError();
  }
};

inline std::string described(const std::vector<simt::Finding>& findings) {
  std::string text;
  for (const simt::Finding& finding : findings) text += describe(finding);
  return text;
}

/// All findings are of this kind, and there is at least one; returns the first.
inline simt::Finding require_only(simt::FindingKind kind) {
  const std::vector<simt::Finding> found = simt::findings();
  INFO("findings:\n" << described(found));
  REQUIRE_FALSE(found.empty());
  REQUIRE(std::all_of(found.begin(), found.end(), [&](const simt::Finding& f) { return f.kind == kind; }));
  REQUIRE_FALSE(found[0].hint.empty());
  return found[0];
}

inline void require_no_finding() {
  const std::vector<simt::Finding> found = simt::findings();
  INFO("findings:\n" << described(found));
  REQUIRE(found.empty());
}

/// The text of the line that an actor stands at.
inline std::string source_line(const simt::Actor& actor) {
  std::ifstream file(actor.file);
  std::string line;
  for (int i = 0; i < actor.line; ++i) std::getline(file, line);
  return line;
}

}  // namespace simulator_tests
