#pragma once
/// @file
/// Where things lie: the repository, its build folder, the learner's work.
#include <filesystem>
#include <string>

namespace stagecraft::labs {

using Path = std::filesystem::path;

struct Places {
  Path source;  // the repository
  Path binary;  // its build folder
  Path work;    // the learner's copies, and what the labs know about them

  Path labs() const { return source / "labs"; }
  Path toolchain(const std::string& lab) const { return binary / "labs" / (lab + ".json"); }
  /// The learner's copy of a lab.
  Path copy_of(const std::string& lab) const { return work / lab; }
  /// Builds, results and answers of a lab, beside the learner's files.
  Path state_of(const std::string& lab) const { return work / lab / ".lab"; }
};

/// From the build's own settings and the environment (LAB_WORK).
Places find_places();

/// `path` as a reader would write it: relative to the repository if it lies there.
std::string shown(const Places& places, const Path& path);

/// The content of a file. Throws BadInput naming it, if it cannot be read.
std::string read_file(const Path& path);
/// Writes a file whole: a reader sees the old content or the new. Throws Failure.
void write_file(const Path& path, const std::string& content);

}  // namespace stagecraft::labs
