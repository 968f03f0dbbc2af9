/// Ids agree everywhere: manifest, handout, contract, marks, hints, checks, questions, mutants.
#include "labs/program/manifest.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "kernels/check.h"
#include "labs/program/child.h"
#include "labs/program/learner_build.h"
#include "labs/program/regions.h"
#include "tests/catch.h"

namespace {

using namespace stagecraft::labs;

Places places() { return {STAGECRAFT_SOURCE_DIR, STAGECRAFT_BINARY_DIR, ""}; }

std::set<std::string> ids_of(const LabInfo& lab) {
  std::set<std::string> ids;
  for (const TaskInfo& task : lab.tasks) {
    for (const CheckInfo& check : task.checks) ids.insert(check.id);
  }
  for (const QuestionInfo& question : lab.questions) ids.insert(question.id);
  return ids;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("labs: handout and contract name every id of the manifest") {
  for (const LabInfo& lab : read_labs(places())) {
    const std::string handout = read_file(lab.path(places()) / "README.md");
    for (const TaskInfo& task : lab.tasks) {
      INFO(task.id);
      REQUIRE(has(handout, task.id));
      for (const CheckInfo& check : task.checks) {
        INFO(check.id);
        REQUIRE(has(handout, check.id));
        REQUIRE(contract_line(places(), lab, check.id) != "");
      }
    }
    for (const QuestionInfo& question : lab.questions) {
      INFO(question.id);
      REQUIRE(has(handout, question.id));
    }
    const std::string row = "| " + std::to_string(int(lab.points())) + " |";
    INFO(row);
    REQUIRE(has(handout, row));
  }
}

TEST_CASE("labs: the checks that are compiled are those of the manifest") {
  for (const LabInfo& lab : read_labs(places())) {
    std::istringstream list(run_child({read_toolchain(places(), lab).checks, "--list"}).output);
    std::set<std::string> registered;
    for (std::string id; std::getline(list, id);) registered.insert(id);
    REQUIRE(registered == ids_of(lab));
  }
}

TEST_CASE("labs: every task has its marks in its files, and no file has marks of another task") {
  for (const LabInfo& lab : read_labs(places())) {
    std::set<std::string> expected, found;
    for (const TaskInfo& task : lab.tasks) {
      for (const std::string& file : task.files) expected.insert(file + " " + task.id);
    }
    for (const std::string& file : lab.files) {
      for (const Region& region : regions_of(read_file(lab.path(places()) / "skeleton" / file), file)) {
        found.insert(file + " " + region.task());
      }
    }
    REQUIRE(found == expected);
  }
}

TEST_CASE("labs: every task has three hints, six mutants a lab, an alternate, and a cheat a task") {
  for (const LabInfo& lab : read_labs(places())) {
    INFO(lab.id);
    std::set<std::string> cheated;
    int mutants = 0;
    for (const Variant& variant : read_variants(lab.path(places()) / "mutants")) {
      INFO(variant.name);
      REQUIRE_FALSE(variant.promise == Variant::Promise::passes);
      if (variant.promise == Variant::Promise::gets_nothing) cheated.insert(variant.id);
      if (variant.promise == Variant::Promise::fails) REQUIRE(ids_of(lab).count(variant.id) == 1);
      mutants += variant.promise == Variant::Promise::fails;
    }
    REQUIRE(mutants >= 6);
    REQUIRE(read_variants(lab.path(places()) / "alternates").size() >= 1);
    for (const TaskInfo& task : lab.tasks) {
      INFO(task.id);
      REQUIRE(cheated.count(task.id) == 1);
      const std::string hints = read_file(lab.path(places()) / "hints" / (task.id.substr(lab.id.size() + 1) + ".md"));
      for (const char* level : {"## 1 ", "## 2 ", "## 3 "}) REQUIRE(has(hints, level));
    }
  }
}

TEST_CASE("labs: the tables of labs/README.md and docs/instructors.md say what the manifests say") {
  const std::string map = read_file(places().labs() / "README.md");
  const std::string instructors = read_file(places().source / "docs" / "instructors.md");
  for (const LabInfo& lab : read_labs(places())) {
    // | [0](lab00_simulator/README.md) | ... | 90 | ... |
    const std::string begins = fmt::format("\n| [{}]({}/README.md) | ", lab.number, lab.folder);
    INFO(begins);
    const size_t at = map.find(begins);
    REQUIRE(at != std::string::npos);
    const std::string line = map.substr(at + 1, map.find('\n', at + 1) - at);
    INFO(line);
    REQUIRE(has(line, fmt::format(" | {} | ", lab.minutes)));
    // | 0 ... | 90 | 1 of 5 | 28 | ...
    const std::string row = fmt::format(" | {} | {} of 5 | {:g} | ", lab.minutes, lab.difficulty, lab.points());
    const std::string start = fmt::format("\n| {} ", lab.number);
    INFO("docs/instructors.md should have:" << start << lab.title << row);
    const size_t found = instructors.find(start);
    REQUIRE(found != std::string::npos);
    REQUIRE(has(instructors.substr(found, instructors.find('\n', found + 1) - found), row));
  }
}

TEST_CASE("labs: a stage has a lab, and all together at least 40 mutants and 8 alternates") {
  constexpr size_t kLabs = 7, kMutants = 40, kAlternates = 8;
  size_t mutants = 0, alternates = 0;
  const std::vector<LabInfo> labs = read_labs(places());
  for (const LabInfo& lab : labs) {
    for (const Variant& variant : read_variants(lab.path(places()) / "mutants"))
      mutants += variant.promise == Variant::Promise::fails;
    for (const Variant& variant : read_variants(lab.path(places()) / "alternates")) {
      INFO(variant.name);
      REQUIRE(variant.promise == Variant::Promise::passes);
      ++alternates;
    }
  }
  REQUIRE(labs.size() == kLabs);
  REQUIRE(mutants >= kMutants);
  REQUIRE(alternates >= kAlternates);
}

TEST_CASE("regions: a skeleton keeps the comment, drops the code, and takes what is given") {
  const std::string solution =
      "int f() {\n  // >>> LAB lab09.t1  about 1 line\n  // TODO(lab09.t1): one more.\n  //| return 0;\n  return 1;\n"
      "  // <<< LAB lab09.t1\n}\n";
  REQUIRE(skeleton_of(solution, "f.cpp") ==
          "int f() {\n  // >>> LAB lab09.t1  about 1 line\n  // TODO(lab09.t1): one more.\n  LAB_TODO(\"lab09.t1\");\n "
          " return 0;\n"
          "  // <<< LAB lab09.t1\n}\n");
  REQUIRE_FALSE(has(solution_without_given(solution), "return 0"));
  REQUIRE(with_regions("// >>> LAB a.t1\nold\n// <<< LAB a.t1\n", {{"a.t1", "new\n"}}, "f") ==
          "// >>> LAB a.t1\nnew\n// <<< LAB a.t1\n");
}

TEST_CASE("regions: marks that are not in pairs are told with their line") {
  for (const char* text : {"// >>> LAB a.t1\n", "// <<< LAB a.t1\n", "// >>> LAB a.t1\n// >>> LAB a.t2\n",
                           "// >>> LAB a.t1\n// <<< LAB a.t2\n"}) {
    std::string message;
    try {
      regions_of(text, "f.cu");
    } catch (const stagecraft::BadInput& error) {
      message = error.what();
    }
    REQUIRE(has(message, "f.cu:"));
  }
}
