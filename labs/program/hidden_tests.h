#pragma once
/// @file
/// An instructor's hidden tests: a folder outside the repository with a hidden.json, and, for checks of its own, C++ files
/// whose names begin with their lab's id. docs/instructors.md shows one.
#include <map>
#include <string>
#include <vector>

#include "labs/program/manifest.h"

namespace stagecraft::labs {

struct HiddenTests {
  Path folder;
  std::vector<uint64_t> seeds;
  std::map<std::string, std::vector<int64_t>> sizes;  // by check id
  std::vector<CheckInfo> checks;                      // "lab00.t1.h1": checks of its own
  std::string program;                                // that runs them; empty before it is built
  bool has(const std::string& check_id) const;
};

/// What a folder says about `lab`. Throws BadInput that names what is wrong in its hidden.json.
HiddenTests read_hidden_tests(const Path& folder, const LabInfo& lab);

/// Compiles and links the checks of the folder, if there are any. Throws BadInput with the compiler's messages, and if the
/// files register other ids than hidden.json.
void build_hidden_checks(HiddenTests& hidden, const Places& places, const LabInfo& lab);

/// `lab` with the hidden checks in their tasks.
LabInfo with_hidden_checks(LabInfo lab, const HiddenTests& hidden);

}  // namespace stagecraft::labs
