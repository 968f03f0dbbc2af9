/// @file
/// Sentences of the book: filled in, and looked for in a chapter.
#include "docs/figures/sentence.h"

#include "tests/catch.h"
#include "tests/loader/refusal.h"

using namespace stagecraft;
using namespace stagecraft::figures;
using stagecraft::testing::require_refusal;

TEST_CASE("each form writes a number as a reader expects it", "[figures]") {
  const std::map<std::string, Value> values = {{"run.n", 1234567.4}, {"run.share", 0.02449}, {"run.who", "tales-5m"}};
  CHECK(filled("{run.n:count} tokens", values) == "1,234,567 tokens");
  CHECK(filled("{run.n:fixed.1}", values) == "1234567.4");
  CHECK(filled("{run.n:scaled.6.2} MB", values) == "1.23 MB");
  CHECK(filled("{run.share:percent.1} % of {run.share:percent.0} %", values) == "2.4 % of 2 %");
  CHECK(filled("{run.who:text}", values) == "tales-5m");
  CHECK(filled("nothing to fill in", values) == "nothing to fill in");
}

TEST_CASE("a name or form that there is not is refused, never written as something else", "[figures]") {
  const std::map<std::string, Value> values = {{"n", 1.5}, {"who", "me"}};
  require_refusal([&] { filled("{m:count}", values); }, {"{m:count}", "no such value"});
  require_refusal([&] { filled("{n}", values); }, {"{n}"});
  require_refusal([&] { filled("{n:hex}", values); }, {"1.5", "hex"});
  require_refusal([&] { filled("{who:count}", values); }, {"me", "count"});
}

TEST_CASE("a chapter holds a sentence wherever its lines break, and not with another number", "[figures]") {
  const std::string chapter = "It takes 12 steps,\nand   34 tokens\tare computed twice.";
  CHECK(holds(chapter, "12 steps, and 34 tokens are"));
  CHECK_FALSE(holds(chapter, "12 steps, and 35 tokens are"));
  CHECK_FALSE(holds(chapter, "12 steps,and"));
}
