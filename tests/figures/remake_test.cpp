/// @file
/// Commands that are run again, and the program `figures` on a small project of its own.
#include "docs/figures/remake.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "kernels/check.h"
#include "tests/catch.h"
#include "tests/loader/refusal.h"
#include "tests/temporary_folder.h"

using namespace stagecraft;
using namespace stagecraft::figures;
using namespace stagecraft::testing;

namespace {

Run shell(const std::string& script, std::map<std::string, ValueSource> values) {
  Run run;
  run.id = "shell";
  run.command = {"sh", "-c", script};
  run.values = std::move(values);
  return run;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Exit code of `figures` with these arguments, in a project whose only command reads `count`.
int run_figures(const TemporaryFolder& project, const std::string& arguments) {
  const std::string command = std::string(STAGECRAFT_FIGURES) + " --root " + project.path().string() + " " + arguments;
  return WEXITSTATUS(std::system((command + " >/dev/null 2>&1").c_str()));
}

}  // namespace

TEST_CASE("values come from the file that a command writes, and from what it prints", "[figures]") {
  const TemporaryFolder folder;
  const Run run = shell(R"(echo '{"a": {"b": 7}}' > '{json}'; echo "moved 1,234 bytes by it's own"; pwd >&2)",
                        {{"b", {"/a/b", ""}}, {"moved", {"", "moved ([0-9,]+) bytes"}}, {"where", {"", "(/.*)"}}});
  const RunResults results = remade(run, {folder.path(), "bin", ""});
  CHECK(results.values.at("b") == 7);
  CHECK(results.values.at("moved") == 1234.0);
  CHECK(std::filesystem::path(results.values.at("where").get<std::string>()) ==
        std::filesystem::canonical(folder.path()));
  CHECK_FALSE(results.machine.empty());
  CHECK(results.date.size() == 10);
}

TEST_CASE("a command that fails, or does not give a value, gives no results", "[figures]") {
  const Places here{".", "bin", ""};
  CHECK_THROWS_AS(remade(shell("echo 7; exit 3", {{"n", {"", "([0-9])"}}}), here), Failure);
  CHECK_THROWS_AS(remade(shell("echo none", {{"n", {"", "([0-9])"}}}), here), Failure);
  CHECK_THROWS_AS(remade(shell("echo '{}' > '{json}'", {{"n", {"/n", ""}}}), here), Failure);
  CHECK_THROWS_AS(remade(shell("echo '{' > '{json}'", {{"n", {"/n", ""}}}), here), Failure);
}

TEST_CASE("a run that needs a model from elsewhere waits for its folder, and others do not", "[figures]") {
  const Run run = shell("echo of {smollm2}", {{"where", {"", "of (.+)"}}});
  CHECK_FALSE(can_run(run, {".", "bin", ""}));
  CHECK(can_run(run, {".", "bin", "models/big"}));
  CHECK(can_run(shell("echo of 1", {}), {".", "bin", ""}));
  CHECK(remade(run, {".", "bin", "models/big"}).values.at("where") == "models/big");
}

TEST_CASE("figures sees a chapter drift from its results, and results from their run", "[figures]") {
  const TemporaryFolder project;
  std::filesystem::create_directories(project.path() / "docs/figures/recipes");
  std::filesystem::create_directories(project.path() / "docs/figures/results");
  write_file(project.path() / "docs/figures/recipes/one.json", R"json({
    "chapter": "one.md",
    "runs": [{"id": "it", "timed": false, "quick": true, "command": ["cat", "count"], "values": {"n": {"match": "([0-9]+)"}}}],
    "sentences": ["there are {it.n:count} of them"]
  })json");
  write_file(project.path() / "one.md", "Look:\nthere are {it.n:count} of them.");
  write_file(project.path() / "count", "41");
  CHECK(run_figures(project, "check") == 2);  // never made
  CHECK(run_figures(project, "remake") == 0);
  CHECK(run_figures(project, "check") == 0);
  CHECK(content_of(project.path() / "one.md") == "Look:\nthere are 41 of them.");
  CHECK(run_figures(project, "recount --quick") == 0);

  write_file(project.path() / "one.md", "Look:\nthere are 40 of them.");
  CHECK(run_figures(project, "check") == 1);
  write_file(project.path() / "one.md", "Look:\nthere are 41 of them.");

  write_file(project.path() / "count", "1000");
  CHECK(run_figures(project, "recount --quick") == 1);
  CHECK(run_figures(project, "remake") == 0);
  CHECK(content_of(project.path() / "one.md") == "Look:\nthere are 1,000 of them.");
  CHECK(run_figures(project, "check --recipe two") == 2);
}
