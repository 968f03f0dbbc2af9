/// @file
/// A chapter against its recipe and results.
#include "docs/figures/chapter.h"

#include "docs/figures/uncovered.h"
#include "tests/catch.h"
#include "tests/loader/refusal.h"

using namespace stagecraft;
using namespace stagecraft::figures;
using stagecraft::testing::require_refusal;

namespace {

Recipe recipe_of(std::vector<std::string> sentences) {
  Recipe recipe;
  recipe.name = "chapter";
  Run run;
  run.id = "chats";
  run.values = {{"steps", {"/steps", ""}}, {"seconds", {"/seconds", ""}}};
  recipe.runs = {run};
  recipe.derived = {{"rate", {Arithmetic::kDivide, "chats.steps", "chats.seconds"}}};
  recipe.sentences = std::move(sentences);
  return recipe;
}

Results results_of(double steps, double seconds) {
  return {{"chats", {"a machine", "2026-11-30", {{"steps", steps}, {"seconds", seconds}}}}};
}

const Recipe kRecipe =
    recipe_of({"{chats.steps:count} steps in {chats.seconds:fixed.1} s", "| rate | {rate:fixed.1} |"});

}  // namespace

TEST_CASE("a chapter that says what the results say lacks no sentence", "[figures]") {
  CHECK(missing_sentences(kRecipe, results_of(12, 4), "First 12 steps\nin 4.0 s.\n| rate | 3.0 |").empty());
}

TEST_CASE("each sentence with an old number is missed", "[figures]") {
  const auto missing = missing_sentences(kRecipe, results_of(12, 5), "First 12 steps in 4.0 s.\n| rate | 3.0 |");
  CHECK(missing == std::vector<std::string>{"12 steps in 5.0 s", "| rate | 2.4 |"});
}

TEST_CASE("results that were never made are refused by name, with the command that makes them", "[figures]") {
  const std::string hint = require_refusal([&] { missing_sentences(kRecipe, {}, "text"); }, {"chapter", "chats."});
  CHECK(hint.find("figures remake --recipe chapter") != std::string::npos);
}

TEST_CASE("new results are written into the chapter, and nothing else changes", "[figures]") {
  const std::string chapter = "12 men took\n12 steps\nin 4.0 s, and {braces}.\n| rate | 3.0 |\nThe end: 3.0";
  const Rewritten result = rewritten(kRecipe, results_of(12, 4), results_of(1200, 100), chapter);
  CHECK(result.chapter == "12 men took\n1,200 steps\nin 100.0 s, and {braces}.\n| rate | 12.0 |\nThe end: 3.0");
  CHECK(result.not_found.empty());
  CHECK(missing_sentences(kRecipe, results_of(1200, 100), result.chapter).empty());
}

TEST_CASE("a sentence that is not there cannot be rewritten, and is told", "[figures]") {
  const Rewritten result = rewritten(kRecipe, results_of(12, 4), results_of(13, 4), "| rate | 3.0 |");
  CHECK(result.chapter == "| rate | 3.2 |");
  CHECK(result.not_found == std::vector<std::string>{"12 steps in 4.0 s"});
}

TEST_CASE("a new sentence is written into the chapter with its placeholders, and filled in", "[figures]") {
  const std::string chapter = "{chats.steps:count} steps in\n{chats.seconds:fixed.1} s, | rate | 2.0 |";
  const Rewritten first = rewritten(kRecipe, {}, results_of(8, 4), chapter);
  CHECK(first.chapter == "8 steps in\n4.0 s, | rate | 2.0 |");
  CHECK(first.not_found.empty());
}

TEST_CASE("a text of several lines comes as it was printed", "[figures]") {
  Recipe recipe = recipe_of({"{chats.steps:text}"});
  const auto printed = [](const char* text) {
    return Results{{"chats", {"a machine", "2026-11-30", {{"steps", text}, {"seconds", 1}}}}};
  };
  recipe.derived.clear();
  const Rewritten result = rewritten(recipe, printed("a   9\nb  1"), printed("a  10\nb  2"), "so:\na   9\nb  1\nend");
  CHECK(result.chapter == "so:\na  10\nb  2\nend");
}

TEST_CASE("lines whose numbers no sentence has are found, and no others", "[figures]") {
  const std::string chapter =
      "First 12 steps\nin 4.0 s, bf16, `--x 3`, [it](a/2.md), stage 2, stages\n3 to 6.\n```\n5 rows\n```\n| rate | 3.0 "
      "| x2.5 |\nand 12 steps";
  const auto lines = uncovered_lines(kRecipe, results_of(12, 4), chapter);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].number == 7);
  CHECK(lines[0].text == "| rate | 3.0 | x2.5 |");
  CHECK(lines[1].number == 8);
  CHECK(uncovered_lines(kRecipe, results_of(13, 4), chapter).size() == 4);
}

TEST_CASE("a value is the same again but for the last bits of a number", "[figures]") {
  CHECK(same_value(133, 133.0));
  CHECK(same_value(0, 0));
  CHECK(same_value(6.726410619999999, 6.72641062));
  CHECK_FALSE(same_value(6.7264, 6.7265));
  CHECK_FALSE(same_value(133, 134));
  CHECK_FALSE(same_value(1, -1));
  CHECK(same_value("same", "same"));
  CHECK_FALSE(same_value("same", "other"));
  CHECK_FALSE(same_value("133", 133));
}

TEST_CASE("derived values name values or numbers, and nothing else", "[figures]") {
  Recipe recipe = recipe_of({"{twice:count}"});
  recipe.derived = {{"twice", {Arithmetic::kMultiply, "chats.steps", "2"}}};
  CHECK(missing_sentences(recipe, results_of(21, 1), "42").empty());
  recipe.derived = {{"twice", {Arithmetic::kMultiply, "chats.stairs", "2"}}};
  require_refusal([&] { missing_sentences(recipe, results_of(21, 1), "42"); }, {"chats.stairs"});
}
