/// The learner's kernels in the stage's own program, and what is made of the runs.
#include "labs/program/bench_table.h"
#include "tests/catch.h"
#include "tests/labs/lab_runs.h"

namespace {

using namespace stagecraft;
using testing::has;
using testing::Learner;

labs::StageRun run_at(double tokens_per_s) {
  labs::StageRun run;
  run.tokens = 10;
  run.tokens_per_s = tokens_per_s;
  run.forwarded = 52;
  run.recomputed = 42;
  run.bytes = 100;
  run.flop = 1000;
  return run;
}

labs::Contestant with_speeds(const std::string& name, const std::vector<double>& speeds) {
  labs::Contestant one{name, "", {}};
  for (const double speed : speeds) one.runs.push_back(run_at(speed));
  return one;
}

}  // namespace

TEST_CASE("bench: a ratio is conclusive if all rounds agree, and by more than noise") {
  const labs::Contestant mine = with_speeds("mine", {20, 22, 30});
  const labs::Ratio clear = labs::ratio_of(mine, with_speeds("other", {10, 10, 10}));
  REQUIRE(clear.median == 2.2);
  REQUIRE(clear.least == 2);
  REQUIRE(clear.most == 3);
  REQUIRE(clear.conclusive);
  REQUIRE_FALSE(labs::ratio_of(mine, with_speeds("one round better", {10, 10, 31})).conclusive);
  REQUIRE_FALSE(labs::ratio_of(mine, with_speeds("within noise", {19.5, 21.5, 29.5})).conclusive);
  REQUIRE_FALSE(labs::ratio_of(with_speeds("once", {20}), with_speeds("once", {10})).conclusive);
}

TEST_CASE("bench: the ideal is what the slower of memory and arithmetic allows") {
  REQUIRE(labs::ideal_tokens_per_s(run_at(1), {10, 1000}) == 1);  // 10 s of reading, 1 s of products
  REQUIRE(labs::ideal_tokens_per_s(run_at(1), {100, 50}) == 0.5);
}

TEST_CASE("bench: predicted, ideal and measured stand in one line; what is not known is a dash") {
  labs::LabInfo lab;
  labs::QuestionInfo speed;
  speed.id = "lab07.q1";
  speed.bench = "tokens_per_s";
  labs::QuestionInfo other;
  other.id = "lab07.q2";
  other.unit = "sectors";
  lab.questions = {speed, other};
  labs::Predictions predictions;
  predictions["lab07.q1"].value = 33;
  predictions["lab07.q2"].value = 5;
  labs::LabResults results;
  results.checks["lab07.q2"].measured = "4";
  const labs::Comparison comparison{
      {with_speeds("previous", {10, 10}), with_speeds("mine", {20, 20}), with_speeds("reference", {20, 20})},
      1,
      {10, 1000}};
  const std::string table = labs::prediction_table(comparison, lab, predictions, results);
  const auto line = [&](const std::string& what) {
    const size_t at = table.find("  " + what);
    std::string text = table.substr(at, table.find('\n', at) - at), words;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != ' ' || (i > 0 && text[i - 1] != ' ')) words += text[i];
    }
    return words;
  };
  INFO(table);
  REQUIRE(has(line("tokens/s"), "tokens/s 33 1 20"));
  REQUIRE(has(line("times the previous stage"), "stage - 1 2"));
  REQUIRE(has(line("tokens forwarded"), "forwarded - - 52"));
  REQUIRE(has(line("lab07.q2, sectors"), "sectors 5 - 4"));
}

TEST_CASE("bench: lab 1's kernels run in stage1_naive and print the same tokens; wrong ones get no speed-up") {
  const Learner learner;
  REQUIRE(learner.lab({"start", "1"}).exit_code == 0);
  REQUIRE(has(learner.lab({"bench", "lab01"}).output, "lab01.t1 does not pass yet"));
  for (const char* file : {"rms_norm.cu", "rope.cu", "linear.cu"}) learner.solve("lab01", "lab01_naive", file);
  for (const char* task : {"lab01.t1", "lab01.t2", "lab01.t3"}) REQUIRE(learner.lab({"test", task}).exit_code == 0);
  const labs::ChildResult right = learner.lab({"bench", "lab01", "--rounds", "2"});
  INFO(right.output);
  REQUIRE(right.exit_code == 0);
  REQUIRE(has(right.output, "equal output: 8 tokens"));
  REQUIRE(has(right.output, "round 2 of 2: stage1_naive with yours"));
  for (const char* column : {"predicted", "ideal", "measured"}) REQUIRE(has(right.output, column));

  learner.edit("lab01", "linear.cu", "if (lane == 0) out[row * out_width + o] = sum;",
               "if (lane == 0) out[row * out_width + o] = -sum;");
  const labs::ChildResult wrong = learner.lab({"bench", "lab01"});
  INFO(wrong.output);
  REQUIRE(wrong.exit_code == 1);
  REQUIRE(has(wrong.output, "the outputs differ"));
  REQUIRE_FALSE(has(wrong.output, "tokens/s"));
  REQUIRE_FALSE(has(wrong.output, "round 2"));
}
