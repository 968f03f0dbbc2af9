#include "labs/support/visible_files.h"

#include <cstdint>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#define LAB_HAS_LANDLOCK 1
#endif
#endif

namespace stagecraft::labs {

#ifdef LAB_HAS_LANDLOCK
namespace {

constexpr uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr uint64_t kReadFolder = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;

/// What a program opens before main, wherever the loader may find its libraries.
const char* const kNeededToStart[] = {
    "/lib",       "/lib64", "/usr/lib",  "/usr/lib64",       "/usr/local/lib", "/opt",
    "/nix/store", "/proc",  "/dev/null", "/etc/ld.so.cache", "/dev/urandom",   "/sys/devices/system/cpu"};

void allow(int rules, const char* path) {
  const int file = ::open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return;  // not on this machine
  struct stat about {};
  if (::fstat(file, &about) == 0) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = S_ISDIR(about.st_mode) ? kReadFolder : kReadFile;
    rule.parent_fd = file;
    (void)::syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  ::close(file);
}

}  // namespace

void hide_other_files(const std::vector<std::string>& readable) {
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = kReadFolder;
  const long rules = ::syscall(__NR_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
  if (rules < 0) return;
  for (const char* path : kNeededToStart) allow(int(rules), path);
  for (const std::string& path : readable) allow(int(rules), path.c_str());
  (void)::syscall(__NR_landlock_restrict_self, int(rules), 0);
  ::close(int(rules));
}

bool can_hide_files() {
  return ::syscall(__NR_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}
#else
void hide_other_files(const std::vector<std::string>&) {}
bool can_hide_files() { return false; }
#endif

}  // namespace stagecraft::labs
