#pragma once
/// @file
/// What the commands of a recipe gave when they were last run, and on which machine: docs/figures/results/NAME.json.
#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "docs/figures/recipe.h"

namespace stagecraft::figures {

/// A number or a text.
using Value = nlohmann::json;

/// Of one run.
struct RunResults {
  std::string machine;  // processor and cores
  std::string date;     // 2026-11-30
  std::map<std::string, Value> values;
};

/// By the run's id.
using Results = std::map<std::string, RunResults>;

/// Empty if there is no such file. Throws BadInput if it cannot be read as what it should be.
Results read_results(const std::filesystem::path& file);
void write_results(const Results& results, const std::filesystem::path& file);

/// Whether a value came out again: texts are equal, and numbers but for what another compiler may make of their last bits.
bool same_value(const Value& value, const Value& again);

/// All values that sentences may name: "run.value", and the derived ones. Throws BadInput for a run or value that was
/// never made, and for arithmetic on what is no number.
std::map<std::string, Value> all_values(const Recipe& recipe, const Results& results);

}  // namespace stagecraft::figures
