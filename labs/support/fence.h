#pragma once
/// @file
/// What the learner's process may not do: start processes, signal others, use the network, write or remove files, look
/// into other processes. Enforced by the kernel (a seccomp filter, resource limits, no capabilities), so it also holds
/// for code that runs before main. It may compute, start some threads, and print; of files it reads its program and
/// libraries, where the kernel can restrict that (Landlock, Linux 5.13), so neither hidden tests nor solutions.
///
/// It still shares an address space with the runner (labs/support/runner_main.cpp), so a determined forger can send
/// made-up counts and findings. Outputs it cannot make up: the check computes them itself. labs/README.md says more.
#include <string>
#include <vector>

namespace stagecraft::labs {

struct Limits {
  double seconds = 10;   // of wall time and of CPU time, per check
  int memory_mb = 2048;  // resident memory
  int threads = 256;
  std::vector<std::string> readable;  // files and folders beside the program and its libraries
};

/// In a forked child, before exec: fences in this process and `program`, which it becomes. Returns false if the kernel has
/// no filters; then only the resource limits hold.
bool enter_fence(const std::string& program, const Limits& limits);

/// Whether this machine has filters; asks the kernel without changing anything.
bool fence_is_available();

/// Whether it can also keep files out of sight.
bool fence_hides_files();

}  // namespace stagecraft::labs
