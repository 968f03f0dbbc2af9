/// The learner's kernels in the stage's own program.
#include "tests/catch.h"
#include "tests/labs/lab_runs.h"

namespace {

using namespace stagecraft;
using testing::has;
using testing::Learner;

}  // namespace

TEST_CASE("bench: lab 1's kernels run in stage1_naive and print the same tokens; wrong ones get no speed-up") {
  const Learner learner;
  REQUIRE(learner.lab({"start", "1"}).exit_code == 0);
  REQUIRE(has(learner.lab({"bench", "lab01"}).output, "lab01.t1 does not pass yet"));
  for (const char* file : {"rms_norm.cu", "rope.cu", "linear.cu"}) learner.solve("lab01", "lab01_naive", file);
  for (const char* task : {"lab01.t1", "lab01.t2", "lab01.t3"}) REQUIRE(learner.lab({"test", task}).exit_code == 0);
  const labs::ChildResult right = learner.lab({"bench", "lab01"});
  INFO(right.output);
  REQUIRE(right.exit_code == 0);
  REQUIRE(has(right.output, "equal output: 8 tokens"));
  REQUIRE(has(right.output, "stage1_naive with yours"));

  learner.edit("lab01", "linear.cu", "if (lane == 0) out[row * out_width + o] = sum;",
               "if (lane == 0) out[row * out_width + o] = -sum;");
  const labs::ChildResult wrong = learner.lab({"bench", "lab01"});
  INFO(wrong.output);
  REQUIRE(wrong.exit_code == 1);
  REQUIRE(has(wrong.output, "the outputs differ"));
  REQUIRE_FALSE(has(wrong.output, "tokens/s"));
}
