#pragma once
/// @file
/// Runs the program `lab` as a learner does, with a work folder of its own.
#include <string>

#include <stdlib.h>

#include "labs/program/child.h"
#include "labs/program/places.h"
#include "tests/temporary_folder.h"

namespace stagecraft::testing {

class Learner {
 public:
  /// What `lab ARGUMENTS` prints and returns.
  labs::ChildResult lab(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"/usr/bin/env", "LAB_NO_BUILD=1", "LAB_WORK=" + work().string(),
                                         STAGECRAFT_BINARY_DIR "/bin/lab"});
    return labs::run_child(arguments);
  }
  std::filesystem::path work() const { return folder_.path() / "work"; }
  /// A file of the learner's copy.
  std::filesystem::path file(const std::string& lab, const std::string& name) const { return work() / lab / name; }

  /// Replaces `from`, which must be there, in a file of the copy.
  void edit(const std::string& lab, const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = labs::read_file(file(lab, name));
    const size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("nothing to replace: " + from);
    labs::write_file(file(lab, name), text.replace(at, from.size(), to));
  }
  /// Puts the solution's file into the copy.
  void solve(const std::string& lab, const std::string& folder, const std::string& name) const {
    const std::string source = STAGECRAFT_SOURCE_DIR;
    labs::write_file(file(lab, name), labs::read_file(source + "/solutions/" + folder + "/" + name));
  }

 private:
  TemporaryFolder folder_;
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace stagecraft::testing
