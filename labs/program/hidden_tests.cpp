#include "labs/program/hidden_tests.h"

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/learner_build.h"
#include "labs/program/object_files.h"

namespace stagecraft::labs {
namespace {

using Json = nlohmann::json;

constexpr const char* kHelp = "docs/instructors.md shows one";

CheckInfo read_check(const Json& json) {
  CheckInfo check;
  check.id = json.at("id");
  check.title = json.at("title");
  check.kind = json.value("kind", "behaviour");
  check.points = json.at("points");
  check.visibility = json.value("visibility", "hidden");
  const std::set<std::string> known = {"hidden", "after_due_date", "after_published", "visible"};
  if (!known.count(check.visibility)) {
    throw BadInput(fmt::format("hidden.json: {}: visibility '{}' is none of Gradescope's", check.id, check.visibility),
                   "hidden, after_due_date, after_published or visible");
  }
  return check;
}

std::string task_of(const std::string& check_id) { return check_id.substr(0, check_id.rfind('.')); }

void require_hidden_id(const LabInfo& lab, const std::string& id) {
  const size_t last = id.rfind('.');
  if (lab.task(task_of(id)) && last + 1 < id.size() && id[last + 1] == 'h') return;
  throw BadInput(fmt::format("hidden.json: '{}' is no id for a hidden check", id),
                 fmt::format("write it like {}.h1", lab.tasks.front().id));
}

void require_known_id(const LabInfo& lab, const HiddenTests& hidden, const std::string& id) {
  const TaskInfo* task = lab.task(task_of(id));
  const bool known = hidden.has(id) || (task && std::any_of(task->checks.begin(), task->checks.end(),
                                                            [&](const CheckInfo& check) { return check.id == id; }));
  if (!known) throw BadInput(fmt::format("hidden.json: there is no check '{}' for these sizes", id), kHelp);
}

std::vector<Path> sources_of(const HiddenTests& hidden, const LabInfo& lab) {
  std::vector<Path> sources;
  for (const auto& entry : std::filesystem::directory_iterator(hidden.folder)) {
    const bool of_lab = entry.path().filename().string().compare(0, lab.id.size(), lab.id) == 0;
    if (of_lab && entry.path().extension() == ".cpp") sources.push_back(std::filesystem::absolute(entry.path()));
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

/// The same ids in hidden.json and in the code.
void require_same_ids(const HiddenTests& hidden) {
  std::istringstream list(run_child({hidden.program, "--list"}).output);
  std::set<std::string> registered, promised;
  for (std::string id; std::getline(list, id);) registered.insert(id);
  for (const CheckInfo& check : hidden.checks) promised.insert(check.id);
  for (const auto& [all, others, where] : {std::tuple(&registered, &promised, "hidden.json"),
                                           std::tuple(&promised, &registered, "the .cpp files (as LAB_CHECK)")}) {
    for (const std::string& id : *all) {
      if (!others->count(id)) throw BadInput(fmt::format("hidden tests: {} is missing in {}", id, where), kHelp);
    }
  }
}

}  // namespace

bool HiddenTests::has(const std::string& check_id) const {
  return std::any_of(checks.begin(), checks.end(), [&](const CheckInfo& check) { return check.id == check_id; });
}

HiddenTests read_hidden_tests(const Path& folder, const LabInfo& lab) {
  const Path file = folder / "hidden.json";
  HiddenTests hidden;
  hidden.folder = folder;
  try {
    const Json json = Json::parse(read_file(file));
    hidden.seeds = json.value("seeds", hidden.seeds);
    for (const Json& check : json.value("checks", Json::array())) {
      if (!is_part_of(check.at("id"), lab.id)) continue;  // of another lab
      hidden.checks.push_back(read_check(check));
      require_hidden_id(lab, hidden.checks.back().id);
    }
    const Json all_sizes = json.value("sizes", Json::object());
    for (const auto& [id, sizes] : all_sizes.items()) {
      if (!is_part_of(id, lab.id)) continue;
      require_known_id(lab, hidden, id);
      hidden.sizes[id] = sizes.get<std::vector<int64_t>>();
    }
  } catch (const Json::exception& error) {
    throw BadInput(fmt::format("{}: {}", file.string(), error.what()), kHelp);
  }
  return hidden;
}

void build_hidden_checks(HiddenTests& hidden, const Places& places, const LabInfo& lab) {
  const std::vector<Path> sources = sources_of(hidden, lab);
  if (sources.empty() && hidden.checks.empty()) return;
  if (sources.empty())
    throw BadInput(fmt::format("hidden.json has checks of {0}, but no file {0}*.cpp lies beside it", lab.id), kHelp);
  const Toolchain toolchain = read_toolchain(places, lab);
  const Path into = places.binary / "labs" / "hidden" /
                    fmt::format("{}-{:016x}", lab.id, std::hash<std::string>{}(sources[0].string()));
  std::filesystem::create_directories(into);
  std::vector<ObjectFile> objects;
  for (const Path& source : sources) {
    objects.push_back(object_file(source, into, {}, toolchain.compiler,
                                  {"-std=c++20", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-I",
                                   places.source.string(), "-I", (lab.path(places) / "include").string()}));
  }
  compile(objects);
  std::vector<std::string> command = {toolchain.compiler, "-o", (into / "checks").string()};
  for (const ObjectFile& object : objects) {
    if (object.compiled.exit_code != 0) {
      throw BadInput(fmt::format("{} does not compile:\n{}", object.source.string(), object.compiled.output), kHelp);
    }
    command.push_back(object.file.string());
  }
  command.push_back("-Wl,--start-group");
  command.insert(command.end(), toolchain.checks_archives.begin(), toolchain.checks_archives.end());
  command.push_back("-Wl,--end-group");
  command.insert(command.end(), toolchain.system.begin(), toolchain.system.end());
  command.push_back("-pthread");
  const ChildResult linked = run_child(command);
  if (linked.exit_code != 0) throw BadInput("the hidden tests do not link:\n" + linked.output, kHelp);
  hidden.program = (into / "checks").string();
  require_same_ids(hidden);
}

LabInfo with_hidden_checks(LabInfo lab, const HiddenTests& hidden) {
  for (TaskInfo& task : lab.tasks) {
    for (const CheckInfo& check : hidden.checks) {
      if (task_of(check.id) == task.id) task.checks.push_back(check);
    }
  }
  return lab;
}

}  // namespace stagecraft::labs
