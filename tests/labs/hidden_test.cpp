/// An instructor's hidden folder: seeds, sizes, and checks of its own, without a change in the repository.
#include "tests/catch.h"
#include "tests/labs/lab_runs.h"

namespace {

using namespace stagecraft;
using testing::has;
using testing::Learner;

constexpr const char* kCheck = R"(#include "labs/support/check.h"

LAB_CHECK("lab00.t1.h1") {
  const std::vector<float> a(130, 1.0f), b = check.random_floats(130);
  std::vector<float> expected;
  for (const float value : b) expected.push_back(1.0f + value);
  check.input("n = 130; a is all ones");
  const auto answer = check.call(stagecraft::labs::Message("vector_add").set("a", a).set("b", b));
  check.expect_equal("sum", expected, answer.floats("sum"));
}
)";

/// A learner whose vector_add is right but for n = `wrong`, and an instructor's folder.
class Course {
 public:
  explicit Course(int wrong) {
    learner.lab({"start", "0"});
    learner.solve("lab00", "lab00_simulator", "vector_add.cu");
    learner.edit("lab00", "vector_add.cu", "if (i < n)", "if (i < n && n != " + std::to_string(wrong) + ")");
  }
  labs::ChildResult grade(const std::string& json, const std::string& code) const {
    const auto folder = learner.work() / "hidden";
    std::filesystem::remove_all(folder);
    labs::write_file(folder / "hidden.json", json);
    if (!code.empty()) labs::write_file(folder / "lab00_more.cpp", code);
    labs::write_file(folder / "lab01_more.cpp", "#error of another lab\n");
    return learner.lab({"grade", "lab00", "--hidden", folder.string()});
  }

  Learner learner;
};

constexpr const char* kJson = R"({"checks": [{"id": "lab00.t1.h1", "title": "with ones", "points": 3}]})";

}  // namespace

TEST_CASE("hidden checks: compiled from the folder, told like others, with points of their own") {
  const labs::ChildResult right = Course(0).grade(kJson, kCheck);
  INFO(right.output);
  REQUIRE(has(right.output, "score 8 of 31 gradable here"));
  const labs::ChildResult wrong = Course(130).grade(kJson, kCheck);
  INFO(wrong.output);
  REQUIRE(has(wrong.output, "x lab00.t1.h1  with ones"));
  REQUIRE(has(wrong.output, "n = 130; a is all ones"));
  REQUIRE(has(wrong.output, "score 5 of 31 gradable here"));
}

TEST_CASE("hidden checks: an instructor's mistakes are told, and nobody is graded with half of them") {
  const Course course(0);
  const std::string other_id = R"({"checks": [{"id": "lab00.t1.h2", "title": "x", "points": 1}]})";
  const std::string public_id = R"({"checks": [{"id": "lab00.t1.c9", "title": "x", "points": 1}]})";
  const std::string no_task = R"({"checks": [{"id": "lab00.t9.h1", "title": "x", "points": 1}]})";
  const std::string no_size = R"({"sizes": {"lab00.t1.c9": [3]}})";
  const std::string colour = R"({"checks": [{"id": "lab00.t1.h1", "title": "x", "points": 1, "visibility": "blue"}]})";
  const std::tuple<std::string, std::string, std::string> mistakes[] = {
      {other_id, kCheck, "lab00.t1.h1 is missing in hidden.json"},
      {kJson, "", "no file lab00*.cpp"},
      {kJson, "no C++\n", "lab00_more.cpp does not compile"},
      {public_id, kCheck, "'lab00.t1.c9' is no id for a hidden check"},
      {no_task, kCheck, "'lab00.t9.h1' is no id for a hidden check"},
      {no_size, "", "there is no check 'lab00.t1.c9'"},
      {colour, kCheck, "visibility 'blue'"},
      {"{", "", "hidden.json: "}};
  for (const auto& [json, code, message] : mistakes) {
    const labs::ChildResult run = course.grade(json, code);
    INFO(message);
    INFO(run.output);
    REQUIRE(run.exit_code == 2);
    REQUIRE(has(run.output, message));
    REQUIRE_FALSE(has(run.output, "score"));
  }
}
