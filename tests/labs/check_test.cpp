/// What lab authors write checks with, where a mistake would grade wrongly.
#include "labs/support/check.h"

#include "tests/catch.h"

namespace {

using namespace stagecraft::labs;

Failed failure_of(const std::vector<Verdict>& verdicts) {
  try {
    Check("lab07.t1.c1", {}).expect_kills(verdicts);
  } catch (const Failed& failed) {
    return failed;
  }
  return {};
}

}  // namespace

TEST_CASE("a learner's test: it must accept what is right and kill all that is faulty; survivors are named") {
  const Verdict right{"the reference", true, true}, refused{"the reference", true, false};
  const Verdict killed{"forgets the last token", false, false}, survives{"counts the prompt twice", false, true};
  REQUIRE(failure_of({right, killed}).got.empty());
  REQUIRE(failure_of({right, killed, survives}).expected == "1 right implementation accepted, 2 faulty ones rejected");
  REQUIRE(failure_of({right, killed, survives}).got == "1 of 2 killed; survived: counts the prompt twice");
  // A test that rejects everything kills all and is worth nothing.
  REQUIRE(failure_of({refused, killed}).got == "1 of 1 killed; rejected though right: the reference");
  // So is one that accepts everything.
  REQUIRE(failure_of({right, survives}).got == "0 of 1 killed; survived: counts the prompt twice");
}

TEST_CASE("counted work: the mean of the shares of what is allowed") {
  Check check("lab07.t1.c1", {});
  REQUIRE_FALSE(check.share_used());
  check.expect_at_most("sectors", 100, 50);
  check.expect_at_most("tokens", 10, 10);
  REQUIRE(check.share_used() == 0.75);
  REQUIRE_THROWS_AS(check.expect_at_most("bytes", 3, 4), Failed);
}
