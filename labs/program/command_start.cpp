/// @file
/// lab start and lab reset: the learner's copy.
#include <fmt/format.h>

#include "kernels/check.h"
#include "labs/program/commands.h"
#include "labs/program/regions.h"
#include "labs/program/results.h"

namespace stagecraft::labs {
namespace {

namespace fs = std::filesystem;

/// Files in which a learner will write, with the lines of their regions.
void print_places(const Session& session, const LabInfo& lab) {
  for (const TaskInfo& task : lab.tasks) {
    for (const std::string& file : task.files) {
      const Path path = session.places.copy_of(lab.id) / file;
      for (const Region& region : regions_of(read_file(path), file)) {
        if (region.task() != task.id) continue;
        fmt::print("  {:<10} {:<40} {}:{}\n", task.id, task.title, as_typed(session, path), region.line);
      }
    }
  }
}

void copy_skeleton(const Session& session, const LabInfo& lab, const std::string& file) {
  const Path to = session.places.copy_of(lab.id) / file;
  fs::create_directories(to.parent_path());
  fs::copy_file(lab.path(session.places) / "skeleton" / file, to, fs::copy_options::overwrite_existing);
}

}  // namespace

int start(const Session& session, const std::string& id) {
  const LabInfo& lab = session.lab(id);
  const bool resumed = session.is_started(lab);
  fs::create_directories(session.places.copy_of(lab.id));
  for (const std::string& file : lab.files) {
    if (!fs::exists(session.places.copy_of(lab.id) / file)) copy_skeleton(session, lab, file);
  }
  session.set_current(lab);
  fmt::print("{}  about {} minutes, {} points{}\n\n", session.console.bold(lab.id + "  " + lab.title), lab.minutes,
             points_text(lab.points()), resumed ? "; your files are kept" : "");
  fmt::print("handout    {}\n", as_typed(session, lab.path(session.places) / "README.md"));
  fmt::print("contract   {}\n", as_typed(session, lab.path(session.places) / "include"));
  fmt::print("write here, between the arrows:\n");
  print_places(session, lab);
  if (!lab.questions.empty()) fmt::print("\npredict    labs/lab predict {}   before you measure\n", lab.id);
  fmt::print("next       labs/lab test {}\n", lab.tasks.front().id);
  return 0;
}

int reset(const Session& session, const std::string& id, const std::string& file) {
  const LabInfo& lab = session.lab(id);
  if (!session.is_started(lab)) return start(session, id);
  const Path aside = session.places.state_of(lab.id) / "before-reset" / time_stamp();
  bool any = false;
  for (const std::string& name : lab.files) {
    if (!file.empty() && name != file) continue;
    const Path mine = session.places.copy_of(lab.id) / name;
    if (fs::exists(mine)) {
      fs::create_directories((aside / name).parent_path());
      fs::copy_file(mine, aside / name, fs::copy_options::overwrite_existing);
    }
    copy_skeleton(session, lab, name);
    any = true;
  }
  if (!any)
    throw BadInput(fmt::format("'{}' is no file of {}", file, lab.id), "labs/lab start " + lab.id + " lists them");
  if (file.empty()) {
    fs::remove(session.places.state_of(lab.id) / "results.json");
    fs::remove(session.places.state_of(lab.id) / "predictions.json");
  }
  fmt::print("the skeleton is back; what you had is in {}\n", as_typed(session, aside));
  return 0;
}

}  // namespace stagecraft::labs
