#pragma once
/// @file
/// Compiles a learner's files, and nothing else, and links them with what the project's build has prepared: seconds. The
/// compiler's messages name the learner's own files.
#include <string>
#include <vector>

#include "labs/program/manifest.h"

namespace stagecraft::labs {

/// What the project's build says about a lab (labs/CMakeLists.txt writes it).
struct Toolchain {
  std::string compiler;
  std::vector<std::string> hook_flags;  // make a .cu file checked
  std::string checks;                   // program
  std::vector<std::string> runner, archives, system, bench_objects;
  std::vector<std::string> checks_archives;  // what `checks` is linked with
};

/// Throws BadInput, if the lab was not built yet.
Toolchain read_toolchain(const Places& places, const LabInfo& lab);

/// Which program is made.
enum class BuildKind {
  checked,  ///< for checks: kernels watched and counted, C++ with assertions
  bench     ///< the stage's program with the learner's code in it, optimised
};

struct LearnerBuild {
  Path program;  // valid if ok
  bool ok = false;
  std::string messages;  // of the compiler: errors, or warnings of what was compiled now
  std::string refused;   // the learner's code names something that no lab needs
};

/// Builds what lies in `sources` into `into`; files that have not changed are not compiled again. `objects`, if not
/// empty, is a folder of objects that builds of equal files share.
LearnerBuild build_learner(const Places& places, const LabInfo& lab, const Path& sources, const Path& into,
                           BuildKind kind, const Path& objects = {});

}  // namespace stagecraft::labs
