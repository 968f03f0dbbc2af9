#include "docs/figures/recipe.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "kernels/check.h"

namespace stagecraft::figures {
namespace {

using nlohmann::json;

constexpr const char* kHint = "docs/figures/recipe.h shows what a recipe looks like";

ValueSource source_of(const json& value) {
  if (value.is_string()) return {value.get<std::string>(), ""};
  return {"", value.at("match").get<std::string>()};
}

Run run_of(const json& entry) {
  Run run;
  run.id = entry.at("id");
  run.timed = entry.at("timed");
  run.quick = entry.value("quick", false);
  run.command = entry.at("command").get<std::vector<std::string>>();
  for (const auto& [name, value] : entry.at("values").items()) run.values[name] = source_of(value);
  return run;
}

std::string operand_of(const json& operand) {
  return operand.is_number() ? operand.dump() : operand.get<std::string>();
}

Derived derived_of(const json& entry) {
  static const std::map<std::string, Arithmetic> kNames = {{"add", Arithmetic::kAdd},
                                                           {"subtract", Arithmetic::kSubtract},
                                                           {"multiply", Arithmetic::kMultiply},
                                                           {"divide", Arithmetic::kDivide}};
  const auto only = entry.begin();
  return {kNames.at(only.key()), operand_of(only->at(0)), operand_of(only->at(1))};
}

/// A sentence is a string, or an array of strings that are joined by spaces.
std::string sentence_of(const json& entry) {
  if (entry.is_string()) return entry.get<std::string>();
  std::string sentence;
  for (const json& part : entry) sentence += (sentence.empty() ? "" : " ") + part.get<std::string>();
  return sentence;
}

void check_ids(const Recipe& recipe) {
  std::set<std::string> ids;
  for (const Run& run : recipe.runs) {
    if (!ids.insert(run.id).second) throw BadInput(fmt::format("two runs are called \"{}\"", run.id), kHint);
    if (run.command.empty()) throw BadInput(fmt::format("run \"{}\" has no command", run.id), kHint);
  }
}

}  // namespace

Recipe read_recipe(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw BadInput(fmt::format("{}: cannot be read", file.string()), "check the path");
  try {
    const json all = json::parse(stream);
    Recipe recipe;
    recipe.name = file.stem().string();
    recipe.chapter = all.at("chapter").get<std::string>();
    for (const json& run : all.at("runs")) recipe.runs.push_back(run_of(run));
    if (all.contains("derived")) {
      for (const auto& [name, entry] : all.at("derived").items()) recipe.derived[name] = derived_of(entry);
    }
    for (const json& sentence : all.at("sentences")) recipe.sentences.push_back(sentence_of(sentence));
    check_ids(recipe);
    return recipe;
  } catch (const json::exception& error) {
    throw BadInput(fmt::format("{}: {}", file.string(), error.what()), kHint);
  } catch (const std::out_of_range&) {
    throw BadInput(fmt::format("{}: derived values are add, subtract, multiply or divide", file.string()), kHint);
  }
}

std::vector<Recipe> read_recipes(const std::filesystem::path& folder) {
  std::vector<Recipe> recipes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") recipes.push_back(read_recipe(entry.path()));
  }
  std::sort(recipes.begin(), recipes.end(), [](const Recipe& a, const Recipe& b) { return a.name < b.name; });
  return recipes;
}

}  // namespace stagecraft::figures
