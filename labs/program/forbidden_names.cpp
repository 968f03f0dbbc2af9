#include "labs/program/forbidden_names.h"

#include <algorithm>
#include <sstream>

#include "labs/program/child.h"

namespace stagecraft::labs {
namespace {

const char* const kFunctions[] = {"fork",   "vfork",     "clone",   "posix_spawn", "posix_spawnp", "execl",
                                  "execlp", "execle",    "execv",   "execvp",      "execve",       "execvpe",
                                  "system", "popen",     "kill",    "raise",       "tgkill",       "syscall",
                                  "write",  "writev",    "pwrite",  "send",        "sendmsg",      "splice",
                                  "dup",    "dup2",      "dup3",    "fdopen",      "dlopen",       "dlsym",
                                  "dlvsym", "ptrace",    "prctl",   "mmap",        "mprotect",     "open_by_handle_at",
                                  "socket", "setrlimit", "prlimit", "unlink",      "remove",       "rename"};

/// What a lab may say of the simulator is what kernels/simulator/simt.h declares.
const char* const kPrefixes[] = {"simt::clear_",
                                 "simt::config",
                                 "simt::findings",
                                 "simt::profile",
                                 "simt::last_launch",
                                 "simt::must_write",
                                 "simt::runtime::",
                                 "stagecraft::labs::send",
                                 "stagecraft::labs::receive",
                                 "stagecraft::labs::Message",
                                 "stagecraft::labs::RegisterCall",
                                 "stagecraft::labs::ask_for_lines"};

bool is_forbidden(const std::string& name) {
  const std::string plain = name.substr(0, name.find('@'));  // without the library's version
  return std::find(std::begin(kFunctions), std::end(kFunctions), plain) != std::end(kFunctions) ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](const std::string& prefix) { return plain.compare(0, prefix.size(), prefix) == 0; });
}

}  // namespace

std::string forbidden_name(const std::vector<Path>& objects) {
  for (const Path& object : objects) {
    std::istringstream names(run_child({"nm", "-C", "-u", object.string()}).output);
    for (std::string line; std::getline(names, line);) {
      const size_t kind = line.find_first_not_of(' ');  // "U name" or "w name"
      constexpr size_t kKindAndSpace = 2;
      if (kind == std::string::npos || !is_forbidden(line.substr(kind + kKindAndSpace))) continue;
      const std::string file = object.filename().string();
      return line.substr(kind + kKindAndSpace) + " in " + file.substr(0, file.rfind('-'));
    }
  }
  return "";
}

}  // namespace stagecraft::labs
