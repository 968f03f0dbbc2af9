/// @file
/// lab export: results for others, an autograder, a class.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/commands.h"
#include "labs/program/exports/exports.h"
#include "labs/program/exports/zip_file.h"

namespace stagecraft::labs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSetup = R"(#!/usr/bin/env bash
# Run once, when Gradescope builds the image. Packages come from Debian; grading itself needs no network.
set -euo pipefail
here=${{AUTOGRADER_ROOT:-/autograder}}
if [ -z "${{LAB_SKIP_PACKAGES:-}}" ]; then
  apt-get update
  apt-get install -y --no-install-recommends g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libcli11-dev libpcre2-dev \
    libutf8proc-dev libhwy-dev
fi
cmake -S "$here/source" -B "$here/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSTAGECRAFT_TESTS=OFF
cmake --build "$here/build" --target {0}_ready
)";

constexpr const char* kRun = R"(#!/usr/bin/env bash
# Run for every submission: the learner's files are in submission/, the result goes to results/results.json.
set -uo pipefail
here=${{AUTOGRADER_ROOT:-/autograder}}
export LAB_NO_BUILD=1 LAB_WORK=$here/work NO_COLOR=1
rm -rf "$LAB_WORK"
mkdir -p "$here/results"
"$here/build/bin/lab" start {0} >/dev/null
for file in {1}; do
  found=$(find "$here/submission" -name "$file" -type f | head -n 1)
  [ -z "$found" ] || cp "$found" "$LAB_WORK/{0}/$file"
done
answers=$(find "$here/submission" -name predictions.json -type f | head -n 1)
[ -z "$answers" ] || cp "$answers" "$LAB_WORK/{0}/.lab/predictions.json" 2>/dev/null || {{ mkdir -p "$LAB_WORK/{0}/.lab" && cp "$answers" "$LAB_WORK/{0}/.lab/predictions.json"; }}
hidden=()
[ -d "$here/source/hidden" ] && hidden=(--hidden "$here/source/hidden")
"$here/build/bin/lab" grade {0} "${{hidden[@]}}" --export "$here/exports" >"$here/results/output.txt" 2>&1
if [ -f "$here/exports/results.json" ]; then
  cp "$here/exports/results.json" "$here/results/results.json"
else  # nothing was graded: it does not compile
  text=$(sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/ /g' "$here/results/output.txt" | tr -d '\000-\010\013-\037' | sed ':a;N;$!ba;s/\n/\\n/g')
  printf '{{"score": 0, "output": "%s"}}\n' "$text" >"$here/results/results.json"
fi
)";

std::vector<LabRecord> all_records(const Session& session) {
  std::vector<LabRecord> records;
  for (const LabInfo& lab : session.labs) records.push_back({lab, load_results(session.places.state_of(lab.id))});
  return records;
}

/// Whether a grader needs the file: sources and small models, no builds, no work, no solutions.
bool is_needed(const Path& path) {
  for (const Path& part : path) {
    if (part == "build" || part == "work" || part == ".git") return false;
  }
  return true;
}

void add_folder(ZipFile& zip, const Path& source, const Path& folder, bool (*wanted)(const Path&)) {
  std::vector<Path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
    if (entry.is_regular_file() && wanted(entry.path().lexically_relative(source))) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const Path& file : files) {
    const bool executable = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    zip.add("source/" + file.lexically_relative(source).string(), read_file(file), executable);
  }
}

/// Other labs' checks are not needed, and mutants and alternates show solutions.
bool is_needed_of_labs(const Path& path) {
  for (const Path& part : path) {
    if (part == "mutants" || part == "alternates") return false;
  }
  return is_needed(path);
}

}  // namespace

int export_results(const Session& session, const std::string& id, const std::string& folder) {
  if (folder.empty()) throw BadInput("no folder was given", "labs/lab export FOLDER");
  const LabInfo& lab = session.lab(id);
  const LabRecord record{lab, load_results(session.places.state_of(lab.id))};
  const Path to = folder;
  write_file(to / "junit.xml", junit_xml(record));
  write_file(to / "results.json", gradescope_json(record));
  write_file(to / "progress.json", progress_json(all_records(session)));
  write_file(to / "progress.html", progress_html(all_records(session)));
  fmt::print("  exported to {}: junit.xml, results.json (Gradescope), progress.json, progress.html\n", folder);
  return 0;
}

int export_autograder(const Session& session, const std::string& id, const std::string& file) {
  const LabInfo& lab = session.lab(id);
  std::string files;
  for (const std::string& name : lab.files) files += (files.empty() ? "" : " ") + name;
  ZipFile zip;
  zip.add("setup.sh", fmt::format(fmt::runtime(kSetup), lab.id), true);
  zip.add("run_autograder", fmt::format(fmt::runtime(kRun), lab.id, files), true);
  zip.add("source/CMakeLists.txt", read_file(session.places.source / "CMakeLists.txt"), false);
  for (const char* folder : {"cmake", "kernels", "stages"}) add_folder(zip, session.places.source, folder, is_needed);
  add_folder(zip, session.places.source, "labs", is_needed_of_labs);
  zip.write(file);
  fmt::print("{}: upload it as the autograder of {}; a folder `hidden` with hidden.json may be added to its source/\n",
             file, lab.id);
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
    std::string name = student.filename().string();
    std::replace(name.begin(), name.end(), ',', ' ');
    table += name;
    for (const LabInfo& lab : session.labs) {
      double points = 0, of = lab.points();
      if (json.is_object() && json.contains("labs")) {
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
