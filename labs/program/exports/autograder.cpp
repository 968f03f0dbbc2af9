#include "labs/program/exports/autograder.h"

#include <algorithm>

#include <fmt/format.h>

namespace stagecraft::labs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSetup = R"(#!/usr/bin/env bash
# Run once, when Gradescope builds the image; this zip lies unpacked in source/. Grading itself needs no network.
set -euo pipefail
here=${{AUTOGRADER_ROOT:-/autograder}}
if [ -z "${{LAB_SKIP_PACKAGES:-}}" ]; then
  apt-get update
  apt-get install -y --no-install-recommends g++ binutils cmake ninja-build pkg-config libfmt-dev nlohmann-json3-dev \
    libcli11-dev libpcre2-dev libutf8proc-dev libhwy-dev
fi
cmake -S "$here/source" -B "$here/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSTAGECRAFT_TESTS=OFF
cmake --build "$here/build" --target {0}_ready
)";

constexpr const char* kRun = R"(#!/usr/bin/env bash
# Run for every submission: the learner's files are in submission/, the result goes to results/results.json.
set -uo pipefail
here=${{AUTOGRADER_ROOT:-/autograder}}
export LAB_NO_BUILD=1 LAB_WORK=$here/work NO_COLOR=1
rm -rf "$LAB_WORK" "$here/exports"
mkdir -p "$here/results" "$LAB_WORK/{0}/.lab"
"$here/build/bin/lab" start {0} >/dev/null
for file in {1}; do
  found=$(find "$here/submission" -name "$file" -type f | head -n 1)
  [ -z "$found" ] || cp "$found" "$LAB_WORK/{0}/$file"
done
answers=$(find "$here/submission" -name predictions.json -type f | head -n 1)
[ -z "$answers" ] || cp "$answers" "$LAB_WORK/{0}/.lab/predictions.json"
hidden=()
[ -d "$here/source/hidden" ] && hidden=(--hidden "$here/source/hidden")
"$here/build/bin/lab" grade {0} "${{hidden[@]}}" --export "$here/exports"
if [ -f "$here/exports/results.json" ]; then
  cp "$here/exports/results.json" "$here/results/results.json"
else
  echo '{{"score": 0, "output": "The grader itself failed; please tell your instructor."}}' >"$here/results/results.json"
fi
)";

/// What the project's CMake asks for, and no build, work, solution, or other lab.
bool is_needed(const Path& path, const LabInfo& lab) {
  for (const Path& part : path) {
    if (part == "build" || part == "work" || part == ".git" || part == "mutants" || part == "alternates") return false;
  }
  auto part = path.begin();
  if (*part != "labs") return true;
  const std::string inside = (++part)->string();
  const bool of_a_lab = inside.compare(0, 3, "lab") == 0 && inside.find('_') != std::string::npos;
  return !of_a_lab || inside == lab.folder;
}

/// All files below `folder` of `root`, as they are called there.
std::vector<Path> files_below(const Path& root, const Path& folder) {
  std::vector<Path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(root));
  }
  std::sort(files.begin(), files.end());
  return files;
}

void add_file(ZipFile& zip, const Path& file, const std::string& name) {
  const bool executable = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
  zip.add(name, read_file(file), executable);
}

}  // namespace

ZipFile autograder_zip(const Places& places, const LabInfo& lab, const Path& hidden) {
  std::string files;
  for (const std::string& name : lab.files) files += (files.empty() ? "" : " ") + name;
  ZipFile zip;
  zip.add("setup.sh", fmt::format(fmt::runtime(kSetup), lab.id), true);
  zip.add("run_autograder", fmt::format(fmt::runtime(kRun), lab.id, files), true);
  add_file(zip, places.source / "CMakeLists.txt", "CMakeLists.txt");
  zip.add("docs/CMakeLists.txt", "# The documentation is no part of an autograder.\n", false);
  for (const char* folder : {"cmake", "kernels", "labs", "models/tales-400k", "stages"}) {
    for (const Path& file : files_below(places.source, folder)) {
      if (is_needed(file, lab)) add_file(zip, places.source / file, file.string());
    }
  }
  if (hidden.empty()) return zip;
  for (const Path& file : files_below(hidden, "")) add_file(zip, hidden / file, "hidden/" + file.string());
  return zip;
}

}  // namespace stagecraft::labs
