/// What others read: JUnit, Gradescope, progress, a class, an autograder's zip.
#include "labs/program/exports/exports.h"

#include <nlohmann/json.hpp>

#include "labs/program/exports/markup.h"
#include "labs/program/exports/zip_file.h"
#include "labs/program/on_gpu.h"
#include "tests/catch.h"
#include "tests/labs/gradescope_format.h"
#include "tests/labs/lab_runs.h"

namespace {

using namespace stagecraft;
using namespace stagecraft::labs;
using testing::has;
using testing::Learner;
using Json = nlohmann::json;

/// A lab of one task with five checks, one of each fate, and a question.
LabInfo small_lab() {
  LabInfo lab;
  lab.id = "lab07";
  lab.number = 7;
  lab.title = "a & b";
  TaskInfo task{"lab07.t1", "task", "kernel", {}, {}, {}};
  for (const char* number : {"1", "2", "3", "4", "5"}) {
    task.checks.push_back({std::string("lab07.t1.c") + number, "holds <always>", "behaviour", 2});
  }
  lab.tasks = {task};
  QuestionInfo question;
  question.id = "lab07.q1";
  question.points = 1;
  lab.questions = {question};
  return lab;
}

LabResults five_fates() {
  const Outcome outcomes[] = {Outcome::pass, Outcome::fail, Outcome::todo, Outcome::not_run, Outcome::timeout};
  LabResults results;
  for (size_t i = 0; i < std::size(outcomes); ++i) {
    CheckResult result;
    result.id = "lab07.t1.c" + std::to_string(i + 1);
    result.outcome = outcomes[i];
    result.of = 2;
    result.points = outcomes[i] == Outcome::pass ? 2 : 0;
    result.seed = 99;
    result.got = "x[1] = \"3\" < 4\n\x01\xff";
    results.checks[result.id] = result;
  }
  return results;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("tally: what cannot run here is not gradable here; todo is") {
  const Tally tally = tally_of(small_lab(), five_fates());
  REQUIRE(tally.points == 2);
  REQUIRE(tally.gradable == 9);
  REQUIRE(tally.of == 11);
  REQUIRE(tally.passed == 1);
  REQUIRE(tally.failed == 2);
  REQUIRE(tally.skipped == 3);
}

TEST_CASE("results: written and read back the same; an unknown outcome is an error and no pass") {
  const testing::TemporaryFolder folder;
  LabResults results = five_fates();
  results.checks["lab07.t1.c3"].share_used = 0.25;
  for (auto& [id, result] : results.checks) result.got = "plain";
  save_results(folder.path(), results);
  const LabResults read = load_results(folder.path());
  REQUIRE(read.checks.size() == 5);
  REQUIRE(read.checks.at("lab07.t1.c5").outcome == Outcome::timeout);
  REQUIRE(read.checks.at("lab07.t1.c3").share_used == 0.25);
  REQUIRE(outcome_named("passed") == Outcome::error);
}

TEST_CASE("junit: failures, errors and skips are told apart, and nothing breaks the XML") {
  const std::string xml = junit_xml({small_lab(), five_fates()});
  INFO(xml);
  REQUIRE(has(xml, "tests=\"7\" failures=\"1\" errors=\"1\" skipped=\"4\""));
  REQUIRE(count(xml, "<testcase ") == 7);
  REQUIRE(count(xml, "<skipped message=\"not run") == 2);
  REQUIRE(count(xml, "<failure ") == 1);
  REQUIRE(count(xml, "<error type=\"timeout\"") == 1);
  REQUIRE(has(xml, "holds &lt;always&gt;"));
  REQUIRE_FALSE(has(xml, "\x01"));
}

TEST_CASE("gradescope: scores, numbers and statuses; a check that did not run has no score") {
  const Json json = Json::parse(gradescope_json({small_lab(), five_fates()}));
  testing::require_gradescope_format(json);
  REQUIRE(json["score"] == 2);
  REQUIRE(json["tests"].size() == 7);
  const Json& passed = json["tests"][0];
  REQUIRE(passed["score"] == 2);
  REQUIRE(passed["max_score"] == 2);
  REQUIRE(passed["status"] == "passed");
  REQUIRE(passed["number"] == "7.1.1");
  REQUIRE(passed["visibility"] == "visible");
  REQUIRE(json["tests"][1]["status"] == "failed");
  REQUIRE(has(json["tests"][1]["output"], "labs/lab test lab07.t1.c2 --seed 99"));
  REQUIRE_FALSE(json["tests"][3].contains("score"));
  REQUIRE_FALSE(json["tests"][3].contains("status"));
  REQUIRE(json["tests"][6]["number"] == "7.q1");
}

TEST_CASE("on a GPU: what did not run there is not run, without points or a verdict, and nowhere green") {
  const LabInfo lab = small_lab();
  LabResults all_pass;
  for (const CheckInfo& check : lab.tasks[0].checks) {
    all_pass.checks[check.id].id = check.id;
    all_pass.checks[check.id].outcome = Outcome::pass;
    all_pass.checks[check.id].points = all_pass.checks[check.id].of = 2;
  }
  const Json tests = Json::parse(gradescope_json({lab, all_pass}))["tests"];
  REQUIRE(tests[5]["name"] == "lab07.t1.gpu on a GPU");
  REQUIRE_FALSE(tests[5].contains("status"));
  REQUIRE_FALSE(tests[5].contains("score"));
  REQUIRE(has(tests[5]["output"], "not run"));
  REQUIRE(has(junit_xml({lab, all_pass}), "<skipped message=\"not run: "));
  REQUIRE(Json::parse(progress_json({{lab, all_pass}}))["labs"][0]["tasks"][0]["gpu"] == "not run");
  REQUIRE(count(progress_html({{lab, all_pass}}), "<td class=\"open\">not run</td>") == 1);
  REQUIRE(tally_of(lab, all_pass).gradable == 11);  // 5 checks and the question: a GPU adds nothing
  REQUIRE(has(gpu_line(lab), "0 of 1 kernel tasks passed, 1 not run"));
  LabInfo engine = lab;
  engine.tasks[0].kind = "engine";
  REQUIRE(gpu_line(engine).empty());
}

TEST_CASE("leaderboard: counted work once all that counts passes, never time") {
  LabInfo lab = small_lab();
  lab.tasks[0].checks[0].kind = "counts";
  lab.tasks[0].checks[1].kind = "clock";
  LabResults results = five_fates();
  REQUIRE(Json::parse(gradescope_json({lab, results}))["leaderboard"] ==
          Json::parse(R"([{"name": "points", "value": 2.0}])"));
  results.checks["lab07.t1.c2"].outcome = Outcome::pass;
  results.checks["lab07.t1.c1"].share_used = 0.5;
  results.checks["lab07.t1.c2"].share_used = 0.75;
  results.checks["lab07.t1.c1"].seconds = 1000;
  const Json board = Json::parse(gradescope_json({lab, results}))["leaderboard"];
  REQUIRE(board.size() == 2);
  REQUIRE(board[1]["value"] == 0.625);
  REQUIRE(board[1]["order"] == "asc");
}

TEST_CASE("progress: JSON and page say the same") {
  const LabInfo lab = small_lab();
  const std::vector<LabRecord> records = {{lab, five_fates()}};
  const Json json = Json::parse(progress_json(records));
  REQUIRE(json["labs"][0]["points"] == 2);
  REQUIRE(json["labs"][0]["of"] == 11);
  REQUIRE(json["labs"][0]["tasks"][0]["checks"]["lab07.t1.c5"] == "timeout");
  const std::string page = progress_html(records);
  REQUIRE(has(page, "2 of 11 points; 1 passed, 2 failed, 3 skipped"));
  REQUIRE(has(page, "a &amp; b"));
  REQUIRE(count(page, "class=\"pass\"") == 1);
}

TEST_CASE("zip: CMake unpacks what was packed, with permissions") {
  REQUIRE(crc32("123456789") == 0xCBF43926u);  // the check value of the CRC catalogue
  const testing::TemporaryFolder folder;
  ZipFile zip;
  zip.add("run", "#!/bin/sh\nexit 7\n", true);
  zip.add("folder/empty", "", false);
  zip.write(folder.path() / "a.zip");
  const std::string unpack = "cd '" + folder.path().string() + "' && cmake -E tar xf a.zip && ./run";
  REQUIRE(run_child({"sh", "-c", unpack}).exit_code == 7);
  REQUIRE(std::filesystem::file_size(folder.path() / "folder/empty") == 0);
}

TEST_CASE("export: a graded lab in all formats, a class as a table, an autograder without solutions") {
  const Learner learner;
  learner.lab({"start", "0"});
  learner.solve("lab00", "lab00_simulator", "vector_add.cu");
  const auto to = learner.work() / "class" / "ada";
  const ChildResult run = learner.lab({"grade", "--export", to.string()});
  INFO(run.output);
  REQUIRE(has(run.output, "score 5 of 28"));
  for (const char* file : {"junit.xml", "results.json", "progress.json", "progress.html"}) {
    REQUIRE(std::filesystem::file_size(to / file) > 100);
  }
  std::filesystem::create_directories(learner.work() / "class" / "bob");
  write_file(learner.work() / "class" / "bob" / "progress.json", "{\"labs\": 3}");
  const auto csv = learner.work() / "class.csv";
  const ChildResult table = learner.lab({"export", (learner.work() / "class").string(), "--csv", csv.string()});
  REQUIRE(table.exit_code == 0);
  REQUIRE(has(table.output, "bob/progress.json cannot be read: 0 points"));
  REQUIRE(has(read_file(csv), "\nada,5,28,"));
  REQUIRE(has(read_file(csv), "\nbob,0,28,"));
  const auto zip = learner.work() / "lab00.zip";
  REQUIRE(learner.lab({"export", "--lab", "lab00", "--autograder", zip.string()}).exit_code == 0);
  const std::string bytes = read_file(zip);
  REQUIRE(has(bytes, "run_autograder"));
  REQUIRE(has(bytes, "labs/lab00_simulator/skeleton/sum.cu"));
  for (const char* secret : {"solutions/lab00_simulator", "lab00_simulator/mutants", "lab00_simulator/alternates"}) {
    INFO(secret);
    REQUIRE_FALSE(has(bytes, secret));
  }
  REQUIRE_FALSE(has(bytes, "labs/lab01_naive/lab.json"));
}
