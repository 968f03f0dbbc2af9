/// A learner's way through lab 0, honest and not.
#include <fstream>

#include "labs/program/results.h"
#include "tests/catch.h"
#include "tests/labs/lab_runs.h"

namespace {

using namespace stagecraft;
using testing::has;
using testing::Learner;

constexpr const char* kFolder = "lab00_simulator";

/// A learner of lab 0 whose vector_add.cu has this between its arrows.
labs::ChildResult with_body(const Learner& learner, const std::string& body) {
  if (learner.lab({"start", "0"}).exit_code != 0) throw std::logic_error("start");
  learner.edit("lab00", "vector_add.cu", "  LAB_TODO(\"lab00.t1\");\n", body + "\n");
  return learner.lab({"test", "lab00.t1"});
}

/// The same with code in the host function instead.
labs::ChildResult with_host_code(const Learner& learner, const std::string& code) {
  if (learner.lab({"start", "0"}).exit_code != 0) throw std::logic_error("start");
  learner.edit("lab00", "vector_add.cu", "  const dim3 grid(", code + "\n  const dim3 grid(");
  return learner.lab({"test", "lab00.t1"});
}

std::string last_line(const labs::ChildResult& run) {
  const std::string text = run.output.substr(0, run.output.size() - 1);
  return text.substr(text.rfind('\n') + 1);
}

const std::string kRight = "const int i = int(blockIdx.x * blockDim.x + threadIdx.x); if (i < n) sum[i] = a[i] + b[i];";

}  // namespace

TEST_CASE("lab: a fresh copy scores 0, every task is todo, and that is no failure of the grader") {
  const Learner learner;
  REQUIRE(learner.lab({"start", "0"}).exit_code == 0);
  const labs::ChildResult run = learner.lab({"grade"});
  INFO(run.output);
  REQUIRE(run.exit_code == 1);
  REQUIRE(has(run.output, "score 0 of 28"));
  REQUIRE(last_line(run) == "0 passed, 0 failed, 18 skipped");
  REQUIRE_FALSE(has(run.output, "\033["));  // no terminal, no colours
}

TEST_CASE("lab: a right task passes, and its solution opens; before it does not") {
  const Learner learner;
  REQUIRE(learner.lab({"start", "0"}).exit_code == 0);
  REQUIRE(learner.lab({"solution", "lab00.t1"}).exit_code == 2);
  REQUIRE(has(learner.lab({"solution", "lab00.t1", "--give-up"}).output, "if (i < n) sum[i]"));
  const labs::ChildResult run = with_body(learner, kRight);
  INFO(run.output);
  REQUIRE(run.exit_code == 0);
  REQUIRE(last_line(run) == "3 passed, 0 failed, 0 skipped");
  REQUIRE(has(learner.lab({"solution", "lab00.t1"}).output, "if (i < n) sum[i]"));
  REQUIRE(has(learner.lab({}).output, "next: labs/lab test lab00.t2"));
}

TEST_CASE("lab: a failure tells input, seed, steps, expected, got, contract, hint, and how to run it again") {
  const Learner learner;
  const labs::ChildResult run = with_body(learner, "const int i = int(threadIdx.x); if (i < n) sum[i] = a[i] + b[i];");
  INFO(run.output);
  REQUIRE(run.exit_code == 1);
  for (const char* part : {"x lab00.t1.c1", "input     n = 257", "seed      1", "steps     1 vector_add",
                           "expected  sum[256] =", "got       ", "contract  labs/lab00_simulator/include/warmup.h:",
                           "hint      labs/lab hint lab00.t1", "again     labs/lab test lab00.t1.c1 --seed 1"}) {
    INFO(part);
    REQUIRE(has(run.output, part));
  }
}

TEST_CASE("lab: the seed changes the input, and the same seed brings it back") {
  const Learner learner;
  const std::string body = "const int i = int(blockIdx.x * blockDim.x + threadIdx.x); if (i < n) sum[i] = a[i] - b[i];";
  with_body(learner, body);
  const std::string first = learner.lab({"test", "lab00.t1.c1", "--seed", "5"}).output;
  REQUIRE(first == learner.lab({"test", "lab00.t1.c1", "--seed", "5"}).output);
  REQUIRE(first != learner.lab({"test", "lab00.t1.c1", "--seed", "6"}).output);
}

TEST_CASE("lab: a compiler error names the learner's file and line, and costs no crash of the grader") {
  const Learner learner;
  const labs::ChildResult run = with_body(learner, "int i = threadIdx.;");
  INFO(run.output);
  REQUIRE(run.exit_code == 1);
  REQUIRE(has(run.output, "lab00/vector_add.cu:19"));
  REQUIRE(has(run.output, "does not compile"));
}

TEST_CASE("lab: exit(0) and printing that all passed earn nothing") {
  const Learner learner;
  const labs::ChildResult run =
      with_host_code(learner, "  std::printf(\"3 passed, 0 failed, 0 skipped\\n\"); ::exit(0);");
  INFO(run.output);
  REQUIRE(run.exit_code == 1);
  REQUIRE(last_line(run) == "0 passed, 3 failed, 0 skipped");
  REQUIRE(has(run.output, "crash"));
}

TEST_CASE("lab: an endless loop is a time-out, told with its limit") {
  const Learner learner;
  learner.lab({"start", "0"});
  learner.edit("lab00", "vector_add.cu", "  const dim3 grid(",
               "  for (volatile int i = 0;;) i = i + 1;\n  const dim3 grid(");
  const labs::ChildResult run = learner.lab({"test", "lab00.t1.c1"});
  INFO(run.output);
  REQUIRE(run.exit_code == 1);
  REQUIRE(has(run.output, "timeout"));
  REQUIRE(has(run.output, "no answer after"));
}

TEST_CASE("lab: code that names the system or the grader is not run, and is told which name") {
  const std::pair<const char*, const char*> attempts[] = {
      {"extern \"C\" int fork(); fork();", "fork"},
      {"extern \"C\" long syscall(long, ...); syscall(57);", "syscall"},
      {"extern \"C\" long write(int, const void*, unsigned long); write(4, \"x\", 1);", "write"},
      {"std::system(\"rm -rf .lab\");", "system"}};
  for (const auto& [code, name] : attempts) {
    const Learner learner;
    learner.lab({"start", "0"});
    std::string body = code;
    const bool declares = body.find("extern") == 0;
    const std::string declaration = declares ? body.substr(0, body.find("; ") + 1) : "#include <cstdlib>";
    const std::string call = declares ? body.substr(body.find("; ") + 2) : body;
    learner.edit("lab00", "vector_add.cu", "namespace lab00 {", declaration + "\nnamespace lab00 {");
    learner.edit("lab00", "vector_add.cu", "  const dim3 grid(", call + "\n  const dim3 grid(");
    const labs::ChildResult run = learner.lab({"test", "lab00.t1"});
    INFO(run.output);
    REQUIRE(run.exit_code == 1);
    REQUIRE(has(run.output, std::string("refers to ") + name));
    REQUIRE(last_line(run) == "0 passed, 3 failed, 0 skipped");
  }
}

TEST_CASE("lab: clearing the simulator's findings is refused") {
  const Learner learner;
  learner.lab({"start", "0"});
  learner.edit("lab00", "vector_add.cu", "namespace lab00 {",
               "namespace simt { void clear_findings(); }\nnamespace lab00 {");
  learner.edit("lab00", "vector_add.cu", "  const dim3 grid(", "  simt::clear_findings();\n  const dim3 grid(");
  REQUIRE(has(learner.lab({"test", "lab00.t1"}).output, "refers to simt::clear_findings"));
}

TEST_CASE(
    "lab: results that somebody writes himself are overwritten by the next grade, and rubbish is read as nothing") {
  const Learner learner;
  learner.lab({"start", "0"});
  const auto state = learner.work() / "lab00" / ".lab";
  labs::LabResults forged;
  forged.checks["lab00.t1.c1"] = {};
  forged.checks["lab00.t1.c1"].id = "lab00.t1.c1";
  forged.checks["lab00.t1.c1"].outcome = labs::Outcome::pass;
  forged.checks["lab00.t1.c1"].points = 1000;
  labs::save_results(state, forged);
  REQUIRE(has(learner.lab({"grade"}).output, "score 0 of 28"));
  REQUIRE(labs::load_results(state).checks["lab00.t1.c1"].points == 0);
  std::ofstream(state / "results.json") << "{ 28 points";
  REQUIRE(labs::load_results(state).checks.empty());
  REQUIRE(learner.lab({}).exit_code == 0);
}

TEST_CASE("lab: tests and contract in the learner's folder have no meaning; missing files are told") {
  const Learner learner;
  with_body(learner, "sum[0] = 0;");
  labs::write_file(learner.file("lab00", "warmup.h"), "#error not this one\n");
  labs::write_file(learner.file("lab00", "tests/warmup_checks.cpp"), "// all passes\n");
  REQUIRE(learner.lab({"test", "lab00.t1"}).exit_code == 1);
  std::filesystem::remove(learner.file("lab00", "sum.cu"));
  const labs::ChildResult run = learner.lab({"test", "lab00.t1"});
  REQUIRE(run.exit_code == 2);
  REQUIRE(has(run.output, "sum.cu is missing"));
  REQUIRE(learner.lab({"reset", "lab00", "sum.cu"}).exit_code == 0);
  REQUIRE(std::filesystem::exists(learner.file("lab00", "sum.cu")));
}

TEST_CASE("lab: a prediction is stored before, judged once, and then stays") {
  const Learner learner;
  with_body(learner, kRight);
  REQUIRE(learner.lab({"predict", "lab00.q1", "4"}).exit_code == 0);
  REQUIRE(learner.lab({"predict", "lab00.q2", "25"}).exit_code == 0);
  const labs::ChildResult run = learner.lab({"grade"});
  INFO(run.output);
  REQUIRE(has(run.output, "you predicted 4 sectors, measured 4"));
  REQUIRE(has(run.output, "you predicted 25 threads, measured 24"));
  REQUIRE(has(run.output, "score 6 of 28"));
  const labs::ChildResult again = learner.lab({"predict", "lab00.q2", "24"});
  REQUIRE(again.exit_code == 2);
  REQUIRE(has(again.output, "was measured already"));
}

TEST_CASE("lab: hidden seeds and sizes find what the public ones do not") {
  const Learner learner;
  with_body(learner,
            "const int i = int(blockIdx.x * blockDim.x + threadIdx.x); if (i < n && n != 77) sum[i] = a[i] + b[i];");
  REQUIRE(has(learner.lab({"grade"}).output, "score 5 of 28"));
  labs::write_file(learner.work() / "hidden" / "hidden.json",
                   "{\"seeds\": [3, 4], \"sizes\": {\"lab00.t1.c1\": [77]}}");
  const labs::ChildResult run = learner.lab({"grade", "--hidden", (learner.work() / "hidden").string()});
  INFO(run.output);
  REQUIRE(has(run.output, "input     n = 77"));
  REQUIRE(has(run.output, "score 3 of 28"));
}

TEST_CASE("lab: what is asked for wrongly is answered with exit code 2 and what to do") {
  const Learner learner;
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"test"},
                                                {"test", "lab99"},
                                                {"test", "lab00.t9"},
                                                {"start", "lab77"},
                                                {"hint", "lab00.t1", "--level", "4"},
                                                {"nonsense"},
                                                {"test", "--colour", "blue"}}) {
    INFO(wrong.back());
    REQUIRE(learner.lab(wrong).exit_code == 2);
  }
  REQUIRE(has(learner.lab({"test", "lab00"}).output, "labs/lab start lab00"));
}

TEST_CASE("lab: hints come one after the other") {
  const Learner learner;
  learner.lab({"start", "0"});
  REQUIRE(has(learner.lab({"hint", "lab00.t3"}).output, "## 1"));
  REQUIRE(has(learner.lab({"hint", "lab00.t3"}).output, "## 2"));
  REQUIRE(has(learner.lab({"hint", "lab00.t3"}).output, "## 3"));
  REQUIRE(has(learner.lab({"hint", "lab00.t3", "--level", "1"}).output, "## 1"));
}

TEST_CASE("lab: profile shows each line's requests and sectors") {
  const Learner learner;
  with_body(learner, kRight);
  const labs::ChildResult run = learner.lab({"profile", "lab00.t1"});
  INFO(run.output);
  REQUIRE(run.exit_code == 0);
  REQUIRE(has(run.output, "vector_add.cu:19"));
  REQUIRE(has(run.output, "global store"));
}
