#pragma once
/// @file
/// Child processes and a folder for their files.
#include <map>
#include <string>
#include <vector>

namespace simt::command {

/// Runs a program and waits; `environment` is added to this process's own. Returns its exit code, or 128 plus the signal
/// that ended it. Throws stagecraft::Failure, if it cannot be started.
int run_process(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {});

/// A folder of its own under the system's temporary one, removed with all in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

}  // namespace simt::command
