/// @file
/// Bare lab, and lab doctor.
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "labs/program/child.h"
#include "labs/program/commands.h"
#include "labs/program/report.h"
#include "labs/support/fence.h"

namespace stagecraft::labs {
namespace {

/// "##########----------"
std::string bar(double done, double all) {
  constexpr size_t kWidth = 20;
  const size_t full = all > 0 ? size_t(done / all * double(kWidth)) : 0;
  return std::string(full, '#') + std::string(kWidth - full, '-');
}

/// The first task that does not pass.
const TaskInfo* next_task(const LabInfo& lab, const LabResults& results) {
  for (const TaskInfo& task : lab.tasks) {
    if (!results.passes(task)) return &task;
  }
  return nullptr;
}

std::string next_step(const Session& session) {
  const std::optional<std::string> current = session.current();
  if (!current) return "labs/lab start " + session.labs.front().id;
  const LabInfo& lab = session.lab(*current);
  if (const TaskInfo* task = next_task(lab, load_results(session.places.state_of(lab.id)))) {
    return fmt::format("labs/lab test {}     ({})", task->id, task->title);
  }
  for (const LabInfo& later : session.labs) {
    if (later.number > lab.number) return "labs/lab start " + later.id;
  }
  return "labs/lab bench " + lab.id;
}

/// The first line of what a program says of its version; empty if it is not there.
std::string version_of(const std::vector<std::string>& command) {
  const ChildResult result = run_child(command);
  return result.exit_code == 0 ? result.output.substr(0, result.output.find('\n')) : "";
}

class Doctor {
 public:
  explicit Doctor(const Console& console) : console_(console) {}

  void need(const std::string& what, bool there, const std::string& detail, const std::string& cure) {
    fmt::print("  {:<22} {}  {}\n", what, there ? console_.green("ok") : console_.red("missing"),
               there ? detail : cure);
    well_ = well_ && there;
  }
  void wish(const std::string& what, bool there, const std::string& detail, const std::string& otherwise) const {
    fmt::print("  {:<22} {}  {}\n", what, there ? console_.green("ok") : console_.yellow("absent"),
               there ? detail : otherwise);
  }
  bool well() const { return well_; }

 private:
  const Console& console_;
  bool well_ = true;
};

void examine_labs(Doctor& doctor, const Session& session) {
  for (const LabInfo& lab : session.labs) {
    const bool built = std::filesystem::exists(session.places.toolchain(lab.id));
    bool whole = built;
    for (const std::string& file : lab.files)
      whole = whole && std::filesystem::exists(lab.path(session.places) / "skeleton" / file);
    doctor.need(lab.id, whole, fmt::format("{}, {} points", lab.title, points_text(lab.points())),
                built ? "a file of skeleton/ is missing: git checkout labs"
                      : "run CMake again: cmake " + session.places.binary.string());
  }
}

}  // namespace

int status(const Session& session) {
  for (const LabInfo& lab : session.labs) {
    const Tally tally = tally_of(lab, load_results(session.places.state_of(lab.id)));
    const bool started = session.is_started(lab);
    const std::string line = fmt::format("{}  {:<28} {} {:>5}/{:<5}", lab.id, lab.title, bar(tally.points, tally.of),
                                         points_text(tally.points), points_text(tally.of));
    fmt::print("{}{}\n", session.current() == lab.id ? session.console.bold(line) : line,
               started ? "" : session.console.dim(fmt::format("  about {} min", lab.minutes)));
  }
  fmt::print("\nnext: {}\n", next_step(session));
  return 0;
}

int doctor(const Session& session) {
  Doctor doctor(session.console);
  const char* compiler = std::getenv("CXX");
  std::string name = compiler ? compiler : "c++";
  for (const LabInfo& lab : session.labs) {
    if (std::filesystem::exists(session.places.toolchain(lab.id))) name = read_toolchain(session.places, lab).compiler;
  }
  const std::string version = version_of({name, "--version"});
  doctor.need("compiler", !version.empty(), version, "sudo apt-get install g++");
  const std::string cmake = version_of({LAB_CMAKE, "--version"});
  doctor.need("CMake", !cmake.empty(), cmake, "sudo apt-get install cmake");
  const std::string lines = version_of({"addr2line", "--version"});
  doctor.need("addr2line and nm", !lines.empty() && !version_of({"nm", "--version"}).empty(), lines,
              "sudo apt-get install binutils");
  std::error_code error;
  std::filesystem::create_directories(session.places.work, error);
  const auto space = std::filesystem::space(session.places.work, error);
  constexpr double kMegabyte = 1e6, kEnough = 500;
  doctor.need(
      "space for your work", !error && double(space.available) / kMegabyte > kEnough,
      fmt::format("{:.0f} MB in {}", double(space.available) / kMegabyte, as_typed(session, session.places.work)),
      "500 MB must be free, and the folder writable");
  examine_labs(doctor, session);
  doctor.wish("fence around checks", fence_is_available(),
              fence_hides_files() ? "the kernel filters system calls and hides files"
                                  : "the kernel filters system calls; it cannot hide files (no Landlock)",
              "this kernel has no seccomp: checks run without it, so run only code you trust");
  doctor.wish("GPU", std::filesystem::exists("/dev/nvidia0"), "the labs do not need it", "no lab needs one");
  fmt::print("\n{}\n",
             doctor.well() ? session.console.green("all is well") : session.console.red("see what is missing above"));
  return doctor.well() ? 0 : 1;
}

}  // namespace stagecraft::labs
