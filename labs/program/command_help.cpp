/// @file
/// lab hint and lab solution.
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/commands.h"
#include "labs/program/regions.h"
#include "labs/program/results.h"

namespace stagecraft::labs {
namespace {

constexpr int kLevels = 3;

/// The parts of hints/tN.md: each begins with "## ".
std::vector<std::string> hints_of(const Path& file) {
  std::vector<std::string> levels;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) {
    if (line.compare(0, 3, "## ") == 0) levels.push_back("");
    if (!levels.empty()) levels.back() += line + "\n";
  }
  return levels;
}

/// Which hints were seen, by task.
nlohmann::json load_seen(const Path& file) {
  if (!std::filesystem::exists(file)) return nlohmann::json::object();
  const auto json = nlohmann::json::parse(read_file(file), nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

const TaskInfo& task_named(const LabInfo& lab, const std::string& id) {
  const size_t check = id.find(".c");
  if (const TaskInfo* task = lab.task(id.substr(0, check))) return *task;
  throw BadInput(fmt::format("'{}' is no task", id), fmt::format("labs/lab start {} lists the tasks", lab.id));
}

}  // namespace

int hint(const Session& session, const std::string& id, int level) {
  const LabInfo& lab = session.lab(id);
  const TaskInfo& task = task_named(lab, session.full_id(lab, id));
  const std::string name = task.id.substr(lab.id.size() + 1);
  const std::vector<std::string> levels = hints_of(lab.path(session.places) / "hints" / (name + ".md"));
  const Path memory = session.places.state_of(lab.id) / "hints.json";
  nlohmann::json seen = load_seen(memory);
  if (level == 0) level = std::min(kLevels, seen.value(task.id, 0) + 1);
  if (size_t(level) > levels.size()) throw BadInput(fmt::format("{} has no hint {}", task.id, level));
  fmt::print("{}", levels[size_t(level) - 1]);
  if (level < kLevels) fmt::print("\n(hint {} of {}; labs/lab hint {} shows the next)\n", level, kLevels, task.id);
  if (session.is_started(lab) && seen.value(task.id, 0) < level) {
    seen[task.id] = level;
    write_file(memory, seen.dump() + "\n");
  }
  return 0;
}

int solution(const Session& session, const std::string& id, bool give_up) {
  const LabInfo& lab = session.lab(id);
  const TaskInfo& task = task_named(lab, session.full_id(lab, id));
  if (!std::filesystem::is_directory(lab.solutions(session.places))) {
    throw BadInput("solutions are withheld in this course", "labs/lab hint " + task.id + " --level 3 is pseudocode");
  }
  if (!give_up && !load_results(session.places.state_of(lab.id)).passes(task)) {
    throw BadInput(fmt::format("{} does not pass yet", task.id),
                   fmt::format("labs/lab hint {}; or labs/lab solution {} --give-up", task.id, task.id));
  }
  for (const std::string& file : task.files) {
    const std::string text = solution_without_given(read_file(lab.solutions(session.places) / file));
    for (const Region& region : regions_of(text, file)) {
      if (region.task() == task.id) fmt::print("{}:{}\n{}\n", file, region.line, region.body);
    }
  }
  return 0;
}

}  // namespace stagecraft::labs
