#pragma once
/// @file
/// What every command of `lab` has at hand, and the steps that several share.
#include <optional>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "labs/program/console.h"
#include "labs/program/learner_build.h"
#include "labs/program/manifest.h"

namespace stagecraft::labs {

struct Session {
  Places places;
  std::vector<LabInfo> labs;
  Console console;
  bool build = true;  // bring the project's own build up to date first

  /// The lab that `id` names; without one, the lab that was started last. Throws BadInput.
  const LabInfo& lab(const std::string& id) const;
  /// `id` with the lab's full name: "0" is "lab00"; empty is the lab itself.
  std::string full_id(const LabInfo& lab, const std::string& id) const;

  /// The lab that was started last; none before the first.
  std::optional<std::string> current() const;
  void set_current(const LabInfo& lab) const;
  bool is_started(const LabInfo& lab) const;
};

/// The learner's files are not C++, or do not link.
struct DoesNotCompile : Failure {
  DoesNotCompile(const std::string& lab, std::string compiler_said)
      : Failure(lab + " does not compile", "the first message above names the file and the line"),
        messages(std::move(compiler_said)) {}

  std::string messages;  // the compiler's; they were shown already
};

/// Builds a target of the project, with one line of progress on a terminal. Throws Failure with the end of the log.
void build_project(const Session& session, const std::string& target);

/// Builds the learner's copy and shows the compiler's messages. Throws BadInput if it was not started, DoesNotCompile.
LearnerBuild build_copy(const Session& session, const LabInfo& lab, BuildKind kind);

/// `path` as one would type it: relative to the current folder, if it lies there.
std::string as_typed(const Session& session, const Path& path);

}  // namespace stagecraft::labs
