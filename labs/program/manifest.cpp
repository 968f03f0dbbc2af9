#include "labs/program/manifest.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <nlohmann/json.hpp>

#include "kernels/check.h"

namespace stagecraft::labs {
namespace {

using Json = nlohmann::json;

CheckInfo read_check(const Json& json) {
  CheckInfo check;
  check.id = json.at("id");
  check.title = json.at("title");
  check.kind = json.at("kind");
  check.points = json.at("points");
  return check;
}

TaskInfo read_task(const Json& json) {
  TaskInfo task{json.at("id"),
                json.at("title"),
                json.at("kind"),
                json.at("files"),
                json.value("needs", std::vector<std::string>{}),
                {}};
  for (const Json& check : json.at("checks")) task.checks.push_back(read_check(check));
  return task;
}

QuestionInfo read_question(const Json& json) {
  return {json.at("id"),          json.at("text"),           json.at("unit"),
          json.at("deliverable"), json.value("factor", 1.0), json.value("needs", std::vector<std::string>{}),
          json.at("afterwards"),  json.at("points"),         json.value("bench", "")};
}

BenchInfo read_bench(const Json& json) {
  return {json.at("program"), json.value("previous", ""), json.at("arguments"), json.at("wrap"), json.at("needs")};
}

Json parse(const Path& file) {
  try {
    return Json::parse(read_file(file));
  } catch (const Json::exception& error) {
    throw BadInput(fmt::format("{}: {}", file.string(), error.what()), "labs/README.md describes the format");
  }
}

/// The ids of checks begin with their task's, those of tasks and questions with their lab's.
void check_ids(const LabInfo& lab, const Path& file) {
  const auto belongs = [&](const std::string& id, const std::string& whole, char letter) {
    if (id.size() > whole.size() + 2 && id.compare(0, whole.size() + 2, whole + "." + letter) == 0) return;
    throw BadInput(fmt::format("{}: id '{}' should begin with '{}.{}'", file.string(), id, whole, letter),
                   "labs/README.md describes the ids");
  };
  for (const TaskInfo& task : lab.tasks) {
    belongs(task.id, lab.id, 't');
    for (const CheckInfo& check : task.checks) belongs(check.id, task.id, 'c');
  }
  for (const QuestionInfo& question : lab.questions) belongs(question.id, lab.id, 'q');
}

}  // namespace

const TaskInfo* LabInfo::task(const std::string& task_id) const {
  const auto found = std::find_if(tasks.begin(), tasks.end(), [&](const TaskInfo& task) { return task.id == task_id; });
  return found == tasks.end() ? nullptr : &*found;
}

double LabInfo::points() const {
  double sum = 0;
  for (const TaskInfo& task : tasks) {
    for (const CheckInfo& check : task.checks) sum += check.points;
  }
  for (const QuestionInfo& question : questions) sum += question.points;
  return sum;
}

LabInfo read_lab(const Path& folder) {
  const Path file = folder / "lab.json";
  const Json json = parse(file);
  LabInfo lab;
  try {
    lab.id = json.at("id");
    lab.folder = folder.filename().string();
    lab.number = json.at("number");
    lab.title = json.at("title");
    lab.minutes = json.at("minutes");
    lab.difficulty = json.at("difficulty");
    lab.seconds_per_check = json.value("seconds_per_check", lab.seconds_per_check);
    lab.memory_mb = json.value("memory_mb", lab.memory_mb);
    lab.files = json.at("files").get<std::vector<std::string>>();
    for (const Json& task : json.at("tasks")) lab.tasks.push_back(read_task(task));
    if (json.contains("bench")) lab.bench = read_bench(json["bench"]);
    if (std::filesystem::exists(folder / "predict.json")) {
      for (const Json& question : parse(folder / "predict.json")) lab.questions.push_back(read_question(question));
    }
  } catch (const Json::exception& error) {
    throw BadInput(fmt::format("{}: {}", file.string(), error.what()), "labs/README.md describes the format");
  }
  check_ids(lab, file);
  return lab;
}

std::vector<LabInfo> read_labs(const Places& places) {
  std::vector<LabInfo> labs;
  for (const auto& entry : std::filesystem::directory_iterator(places.labs())) {
    if (std::filesystem::exists(entry.path() / "lab.json")) labs.push_back(read_lab(entry.path()));
  }
  std::sort(labs.begin(), labs.end(), [](const LabInfo& a, const LabInfo& b) { return a.number < b.number; });
  return labs;
}

const LabInfo& lab_of(const std::vector<LabInfo>& labs, const std::string& id) {
  const std::string first = id.substr(0, id.find('.'));
  for (const LabInfo& lab : labs) {
    if (first != lab.id && first != std::to_string(lab.number)) continue;
    bool known = first == id || lab.task(id);
    for (const TaskInfo& task : lab.tasks) {
      for (const CheckInfo& check : task.checks) known = known || check.id == id;
    }
    for (const QuestionInfo& question : lab.questions) known = known || question.id == id;
    if (known) return lab;
    throw BadInput(fmt::format("'{}' is no task, check or question of {}", id, lab.id),
                   fmt::format("labs/lab test {} shows them all", lab.id));
  }
  throw BadInput(fmt::format("there is no lab '{}'", first), "labs/lab status lists the labs");
}

bool is_part_of(const std::string& id, const std::string& whole) {
  return id == whole ||
         (id.size() > whole.size() && id.compare(0, whole.size(), whole) == 0 && id[whole.size()] == '.');
}

std::string contract_line(const Places& places, const LabInfo& lab, const std::string& id) {
  for (const auto& entry : std::filesystem::directory_iterator(lab.path(places) / "include")) {
    std::istringstream text(read_file(entry.path()));
    int number = 1;
    for (std::string line; std::getline(text, line); ++number) {
      const size_t at = line.find(id);
      if (at == std::string::npos) continue;
      const size_t end = at + id.size();
      if (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end]))) continue;  // c1 is not c12
      return fmt::format("{}:{}", shown(places, entry.path()), number);
    }
  }
  return "";
}

}  // namespace stagecraft::labs
