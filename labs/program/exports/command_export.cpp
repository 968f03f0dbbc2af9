/// @file
/// lab export: results for others, an autograder, a class.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/commands.h"
#include "labs/program/exports/autograder.h"
#include "labs/program/exports/write_exports.h"
#include "labs/program/hidden_tests.h"

namespace stagecraft::labs {
namespace {

namespace fs = std::filesystem;

}  // namespace

int export_results(const Session& session, const std::string& id, const std::string& folder) {
  if (folder.empty()) throw BadInput("no folder was given", "labs/lab export FOLDER");
  const LabInfo& lab = session.lab(id);
  write_exports(session, {lab, load_results(session.places.state_of(lab.id))}, folder);
  return 0;
}

int export_autograder(const Session& session, const std::string& id, const std::string& file,
                      const std::string& hidden) {
  const LabInfo& lab = session.lab(id);
  double points = lab.points();
  if (!hidden.empty()) points = with_hidden_checks(lab, read_hidden_tests(hidden, lab)).points();
  autograder_zip(session.places, lab, hidden).write(file);
  fmt::print("{}: upload it as the autograder of {}, an assignment of {} points{}\n", file, lab.title,
             points_text(points), hidden.empty() ? "" : ", hidden tests included");
  return 0;
}

int export_class(const Session& session, const std::string& folder, const std::string& file) {
  if (!fs::is_directory(folder))
    throw BadInput(fmt::format("'{}' is no folder", folder), "labs/lab export FOLDER --csv FILE");
  std::string table = "student";
  for (const LabInfo& lab : session.labs) table += fmt::format(",{0}_points,{0}_of", lab.id);
  table += "\n";
  std::vector<Path> students;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "progress.json")) students.push_back(entry.path());
  }
  std::sort(students.begin(), students.end());
  for (const Path& student : students) {
    const auto json = nlohmann::json::parse(read_file(student / "progress.json"), nullptr, false);
    const bool readable = json.is_object() && json.contains("labs") && json["labs"].is_array();
    if (!readable) fmt::print("{} cannot be read: 0 points\n", (student / "progress.json").string());
    std::string name = student.filename().string();
    std::replace(name.begin(), name.end(), ',', ' ');
    table += name;
    for (const LabInfo& lab : session.labs) {
      double points = 0, of = lab.points();
      if (readable) {
        for (const auto& known : json["labs"]) {
          if (!known.is_object() || known.value("id", "") != lab.id) continue;
          points = known.value("points", 0.0);
          of = known.value("of", of);
        }
      }
      table += fmt::format(",{:g},{:g}", points, of);
    }
    table += "\n";
  }
  write_file(file, table);
  fmt::print("{} students in {}\n", students.size(), file);
  return 0;
}

}  // namespace stagecraft::labs
