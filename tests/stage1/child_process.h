#pragma once
/// @file
/// Runs a program as a user does, and looks at what it leaves: exit code, standard output, standard error.
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/model_folder.h"

namespace stagecraft::testing {

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal if one ended it
  std::string output, errors;
};

/// A program that runs. Its output goes to files, so that it never waits for us to read.
class ChildProcess {
 public:
  /// `input` is its standard input, which then ends.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments, const std::string& input = "");
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// What it has written to standard output so far.
  std::string output_so_far() const;
  void send(int signal) const;
  ProgramResult wait();

 private:
  TemporaryFolder folder_;
  pid_t pid_ = 0;
};

/// Runs stage1_naive to its end.
ProgramResult stage1(const std::vector<std::string>& arguments, const std::string& input = "");
/// Path of the built program.
std::string stage1_program();

}  // namespace stagecraft::testing
