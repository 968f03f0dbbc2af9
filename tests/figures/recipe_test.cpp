/// @file
/// Recipes as they are written, and as they are mistyped.
#include "docs/figures/recipe.h"

#include "tests/catch.h"
#include "tests/loader/refusal.h"
#include "tests/temporary_folder.h"

using namespace stagecraft;
using namespace stagecraft::figures;
using namespace stagecraft::testing;

namespace {

Recipe recipe_from(const std::string& json) {
  const TemporaryFolder folder;
  write_file(folder.path() / "5_paging.json", json);
  return read_recipe(folder.path() / "5_paging.json");
}

}  // namespace

TEST_CASE("a recipe has a chapter, runs, derived values and sentences", "[figures]") {
  const Recipe recipe = recipe_from(R"json({
    "chapter": "a/README.md",
    "runs": [{"id": "r", "timed": true, "command": ["x", "{json}"], "values": {"p": "/a/0", "m": {"match": "(.)"}}}],
    "derived": {"d": {"divide": ["r.p", 2]}},
    "sentences": ["one", ["two", "lines"]]
  })json");
  CHECK(recipe.name == "5_paging");
  CHECK(recipe.chapter == "a/README.md");
  REQUIRE(recipe.runs.size() == 1);
  CHECK(recipe.runs[0].timed);
  CHECK_FALSE(recipe.runs[0].quick);
  CHECK(recipe.runs[0].values.at("p").pointer == "/a/0");
  CHECK(recipe.runs[0].values.at("m").pattern == "(.)");
  CHECK(recipe.derived.at("d").left == "r.p");
  CHECK(recipe.derived.at("d").right == "2");
  CHECK(recipe.sentences == std::vector<std::string>{"one", "two lines"});
}

TEST_CASE("what is no recipe is refused with its file's name", "[figures]") {
  require_refusal([] { recipe_from("{"); }, {"5_paging.json"});
  require_refusal([] { recipe_from(R"({"runs": [], "sentences": []})"); }, {"5_paging.json", "chapter"});
  require_refusal(
      [] { recipe_from(R"({"chapter": "a", "runs": [], "derived": {"d": {"power": ["a", "b"]}}, "sentences": []})"); },
      {"5_paging.json", "divide"});
  const std::string run = R"({"id": "r", "timed": false, "command": ["x"], "values": {}})";
  require_refusal([&] { recipe_from(R"({"chapter": "a", "runs": [)" + run + "," + run + R"(], "sentences": []})"); },
                  {"two runs", "r"});
}
