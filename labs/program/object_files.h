#pragma once
/// @file
/// Compiles single files outside the project's build, each only if it or a header of it has changed.
#include <string>
#include <vector>

#include "labs/program/child.h"

namespace stagecraft::labs {

/// One object: its source, and how it is made.
struct ObjectFile {
  Path source, file, list_of_headers;
  Path draft;  // what the compiler writes: builds in parallel may make the same object
  std::vector<std::string> command;
  ChildResult compiled;  // how it went, if it was compiled now
};

/// The object of `source` in the folder `into`; in `shared`, if that is not empty, where files of equal content and flags
/// share one.
ObjectFile object_file(const Path& source, const Path& into, const Path& shared, const std::string& compiler,
                       const std::vector<std::string>& flags);

/// Compiles all that must be, on all cores. Returns whether any was.
bool compile(std::vector<ObjectFile>& objects);

}  // namespace stagecraft::labs
