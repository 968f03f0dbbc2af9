#pragma once
/// @file
/// Which files the learner's process can open: the kernel's Landlock (Linux 5.13; docs.kernel.org, userspace-api) hides
/// the rest. A part of the fence.
#include <string>
#include <vector>

namespace stagecraft::labs {

/// From now on, and in what this process becomes, only `readable` files and folders can be opened, and what a program needs
/// to start: libraries, /proc, the list of processors. Needs PR_SET_NO_NEW_PRIVS. Where the kernel has no Landlock nothing
/// happens.
void hide_other_files(const std::vector<std::string>& readable);

/// Asks the kernel without changing anything.
bool can_hide_files();

}  // namespace stagecraft::labs
