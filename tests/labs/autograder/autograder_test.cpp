/// The Gradescope autograder as Gradescope uses it: unpacked into source/ of an empty folder outside the repository, built
/// there, then run on submissions without a network.
#include <iostream>

#include <nlohmann/json.hpp>

#include "tests/labs/gradescope_format.h"
#include "tests/labs/lab_runs.h"

namespace {

using namespace stagecraft;
using testing::has;
using testing::Learner;
using Json = nlohmann::json;

constexpr const char* kHiddenJson = R"({
  "seeds": [4711],
  "sizes": {"lab00.t1.c1": [77]},
  "checks": [{"id": "lab00.t1.h1", "title": "a sum with ones", "points": 2, "visibility": "after_published"}]
})";

constexpr const char* kHiddenCheck = R"(#include "labs/support/check.h"

LAB_CHECK("lab00.t1.h1") {
  const std::vector<float> ones(77, 1.0f), b = check.random_floats(77);
  std::vector<float> expected;
  for (const float value : b) expected.push_back(1.0f + value);
  check.input("n = 77; a is all ones");
  const auto answer = check.call(stagecraft::labs::Message("vector_add").set("a", ones).set("b", b));
  check.expect_equal("sum", expected, answer.floats("sum"));
}
)";

void require_success(const labs::ChildResult& run) {
  INFO(run.output);
  REQUIRE(run.exit_code == 0);
}

/// What /autograder is on Gradescope.
class Autograder {
 public:
  Autograder() {
    labs::write_file(hidden_ / "hidden.json", kHiddenJson);
    labs::write_file(hidden_ / "lab00_more.cpp", kHiddenCheck);
    const Learner instructor;
    const auto zip = root() / "lab00.zip";
    const labs::ChildResult made =
        instructor.lab({"export", "--lab", "lab00", "--autograder", zip.string(), "--hidden", hidden_.string()});
    require_success(made);
    REQUIRE(has(made.output, "30 points"));  // 28 and the hidden check's
    std::filesystem::create_directories(root() / "source");
    require_success(labs::run_child(
        {"/usr/bin/env", "-C", (root() / "source").string(), "cmake", "-E", "tar", "xf", zip.string()}));
    std::filesystem::copy_file(root() / "source" / "run_autograder", root() / "run_autograder");
    require_success(run("source/setup.sh", {}));
  }

  const std::filesystem::path& root() const { return folder_.path(); }

  /// results.json for a submission of these files; what was there before is gone.
  Json grade(const std::map<std::string, std::string>& files) const {
    std::filesystem::remove_all(root() / "submission");
    std::filesystem::remove_all(root() / "results");
    std::filesystem::create_directories(root() / "submission");
    for (const auto& [name, text] : files) labs::write_file(root() / "submission" / name, text);
    const labs::ChildResult ran = run("run_autograder", offline());
    INFO(ran.output);
    Json json = Json::parse(labs::read_file(root() / "results" / "results.json"));
    testing::require_gradescope_format(json);
    return json;
  }

 private:
  /// A prefix that takes the network away, where a user may do that.
  static std::vector<std::string> offline() {
    const std::vector<std::string> unshare = {"unshare", "--map-root-user", "--net"};
    std::vector<std::string> trial = unshare;
    trial.push_back("true");
    if (labs::run_child(trial).exit_code == 0) return unshare;
    std::cerr << "autograder_test: this machine has no unshare; the network was there\n";
    return {};
  }
  labs::ChildResult run(const std::string& script, std::vector<std::string> prefix) const {
    prefix.insert(prefix.end(), {"/usr/bin/env", "-C", root().string(), "AUTOGRADER_ROOT=" + root().string(),
                                 "LAB_SKIP_PACKAGES=1", (root() / script).string()});
    return labs::run_child(prefix);
  }

  testing::TemporaryFolder folder_;
  std::filesystem::path hidden_ = folder_.path() / "instructor";
};

std::string solution(const std::string& file) {
  return labs::read_file(STAGECRAFT_SOURCE_DIR "/solutions/lab00_simulator/" + file);
}

std::string edited(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

Json test_named(const Json& results, const std::string& id) {
  for (const Json& test : results["tests"]) {
    if (test["name"].get<std::string>().compare(0, id.size() + 1, id + " ") == 0) return test;
  }
  FAIL("no test " << id);
  return {};
}

}  // namespace

TEST_CASE("autograder: unpacked outside the repository it builds, and grades without a network") {
  const Autograder autograder;
  std::map<std::string, std::string> right;
  // Students send their folder, or only the files.
  for (const char* file : {"vector_add.cu", "scale_rows.cu"}) right[std::string("work/lab00/") + file] = solution(file);
  for (const char* file : {"sum.cu", "smooth.cu"}) right[file] = solution(file);

  const Json all = autograder.grade(right);
  INFO(all.dump(1));
  REQUIRE(all["score"] == 26);  // 24 of checks, 2 of the hidden one; no question was answered
  REQUIRE(test_named(all, "lab00.t1.h1")["status"] == "passed");
  REQUIRE(test_named(all, "lab00.t1.h1")["visibility"] == "after_published");
  REQUIRE_FALSE(test_named(all, "lab00.t1.gpu").contains("status"));
  REQUIRE(all["leaderboard"][1]["order"] == "asc");
  REQUIRE(all["leaderboard"][1]["value"].get<double>() > 0.3);
  REQUIRE(all["leaderboard"][1]["value"].get<double>() <= 1.0);

  right[".lab/predictions.json"] = R"({"lab00.q1": {"value": 4, "at": "2026-11-30T00:00:00Z", "judged": false}})";
  REQUIRE(autograder.grade(right)["score"] == 27);

  std::map<std::string, std::string> special = right;
  special["work/lab00/vector_add.cu"] = edited(solution("vector_add.cu"), "if (i < n)", "if (i < n && n != 77)");
  const Json wrong = autograder.grade(special);
  REQUIRE(test_named(wrong, "lab00.t1.c1")["status"] == "failed");
  REQUIRE(has(test_named(wrong, "lab00.t1.c1")["output"], "n = 77"));
  REQUIRE(test_named(wrong, "lab00.t1.h1")["score"] == 0);
  REQUIRE(test_named(wrong, "lab00.t2.c1")["status"] == "passed");

  std::filesystem::remove_all(autograder.root() / "source" / "hidden");
  REQUIRE(autograder.grade(special)["score"] == 25);  // only the hidden size and check saw it

  const Json empty = autograder.grade({});
  REQUIRE(empty["score"] == 0);
  REQUIRE(test_named(empty, "lab00.t1.c1")["status"] == "failed");
  REQUIRE(has(test_named(empty, "lab00.t1.c1")["output"], "todo"));
  REQUIRE(empty["leaderboard"].size() == 1);

  special["work/lab00/vector_add.cu"] = "this is no C++\n";
  const Json broken = autograder.grade(special);
  REQUIRE(broken["score"] == 0);
  REQUIRE(has(test_named(broken, "lab00.t2.c1")["output"], "does not compile"));
  REQUIRE(has(test_named(broken, "lab00.t2.c1")["output"], "vector_add.cu:1"));
}
