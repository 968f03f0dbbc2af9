/// @file
/// lab watch: test again on every save.
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>

#include "labs/program/commands.h"

namespace stagecraft::labs {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr int kQuietLooks = 3;  // after so many without a change a burst of saves is over

/// What tells a saved file from the one before. An editor may write it in place or put another in its place, with any time.
using Snapshot = std::vector<std::string>;

Snapshot snapshot_of(const Session& session, const LabInfo& lab) {
  Snapshot snapshot;
  for (const std::string& file : lab.files) {
    struct stat about {};
    const bool there = ::stat((session.places.copy_of(lab.id) / file).c_str(), &about) == 0;
    snapshot.push_back(
        there ? fmt::format("{} {} {}.{}", about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec)
              : "missing");
  }
  return snapshot;
}

/// Waits for a difference to `tested` that lasts, and returns it.
Snapshot next_change(const Session& session, const LabInfo& lab, const Snapshot& tested) {
  Snapshot last = snapshot_of(session, lab);
  for (int quiet = 0; quiet < kQuietLooks || last == tested;) {
    std::this_thread::sleep_for(kBetweenLooks);
    Snapshot now = snapshot_of(session, lab);
    quiet = now == last ? quiet + 1 : 0;
    last = std::move(now);
  }
  return last;
}

void test_and_tell(const Session& session, const TestOptions& options) {
  if (session.console.is_terminal()) fmt::print("\033[2J\033[H");  // an empty screen
  try {
    (void)test(session, options);
  } catch (const Error& error) {
    fmt::print("{}\n", error.what());
    if (!error.hint().empty()) fmt::print("hint: {}\n", error.hint());
  }
  fmt::print("{}\n", session.console.dim("watching; save a file to test again, Ctrl-C ends"));
  std::fflush(stdout);
}

}  // namespace

int watch(const Session& session, const std::string& what) {
  const LabInfo& lab = session.lab(what);
  if (!session.is_started(lab)) throw BadInput(lab.id + " was not started", "labs/lab start " + lab.id);
  TestOptions options;
  options.what = session.full_id(lab, what);
  options.seed = 0;  // the usual one
  build_project(session, lab.id + "_ready");
  Session watching = session;
  watching.build = false;  // only the learner's files change
  for (Snapshot tested;;) {
    tested = next_change(session, lab, tested);
    test_and_tell(watching, options);
  }
}

}  // namespace stagecraft::labs
