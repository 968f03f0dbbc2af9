#pragma once
/// @file
/// The marks in a lab's files, and what is made of them. A region belongs to a task; a task may have several, told apart
/// by a name behind a slash:
///
///     // >>> LAB lab00.t1  about 2 lines   (edit only between the arrows)
///     // TODO(lab00.t1): add the two elements of this thread.
///     if (i < n) sum[i] = a[i] + b[i];
///     // <<< LAB lab00.t1
///
/// In the skeleton the comment lines that begin with TODO stay, and LAB_TODO("lab00.t1"); stands for the rest. Lines
/// `//| code` of a solution are given: they stand in the skeleton as code, behind LAB_TODO, and not in the solution.
#include <map>
#include <string>
#include <vector>

#include "labs/program/places.h"

namespace stagecraft::labs {

struct Region {
  std::string name;  // "lab00.t1" or "lab00.t1/launch"
  int line = 0;      // of the opening mark, from 1
  std::string body;  // the lines between the marks

  std::string task() const { return name.substr(0, name.find('/')); }
};

/// The regions of a file, in their order. Throws BadInput naming the line, where marks are not in pairs.
std::vector<Region> regions_of(const std::string& text, const std::string& file);

/// `text` with the bodies of the named regions replaced.
std::string with_regions(const std::string& text, const std::map<std::string, std::string>& bodies,
                         const std::string& file);

/// The skeleton of a solution's file.
std::string skeleton_of(const std::string& solution, const std::string& file);

/// A solution's file without its lines for the skeleton.
std::string solution_without_given(const std::string& solution);

/// A wrong solution, another right one, or a cheat: regions to put in place of the solution's. The first lines say what
/// it is:
///
///     // must fail: lab00.t1.c2: out of bounds
///     // must pass: lab00.t1          (an alternate: all points)
///     // must get nothing: lab00.t1   (a cheat)
struct Variant {
  std::string name;  // of its file
  enum class Promise { fails, passes, gets_nothing } promise;
  std::string id;       // a check for `fails`, else a task
  std::string message;  // for `fails`: part of what the report says
  std::map<std::string, std::string> bodies;
};

/// Reads a file of mutants/ or alternates/. Throws BadInput, if its first line promises nothing.
Variant read_variant(const Path& file);

/// All variants of a folder, by name; none if there is no such folder.
std::vector<Variant> read_variants(const Path& folder);

}  // namespace stagecraft::labs
