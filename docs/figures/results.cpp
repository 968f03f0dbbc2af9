#include "docs/figures/results.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "kernels/check.h"

namespace stagecraft::figures {
namespace {

using nlohmann::json;

std::string remake_hint(const Recipe& recipe) {
  return fmt::format("make it: build/release/bin/figures remake --recipe {}", recipe.name);
}

double number_of(const std::string& operand, const std::map<std::string, Value>& values) {
  const auto named = values.find(operand);
  if (named != values.end() && named->second.is_number()) return named->second.get<double>();
  char* end = nullptr;
  const double number = std::strtod(operand.c_str(), &end);
  if (operand.empty() || *end != '\0') {
    throw BadInput(fmt::format("\"{}\" is neither a number nor a value that is one", operand),
                   "derived values may name values of runs, and derived ones that come before them in the alphabet");
  }
  return number;
}

double computed(const Derived& derived, const std::map<std::string, Value>& values) {
  const double left = number_of(derived.left, values), right = number_of(derived.right, values);
  switch (derived.arithmetic) {
    case Arithmetic::kAdd:
      return left + right;
    case Arithmetic::kSubtract:
      return left - right;
    case Arithmetic::kMultiply:
      return left * right;
    case Arithmetic::kDivide:
      break;
  }
  return left / right;
}

}  // namespace

Results read_results(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Results results;
  if (!stream) return results;
  try {
    const json all = json::parse(stream);
    for (const auto& [id, entry] : all.items()) {
      RunResults& run = results[id];
      run.machine = entry.at("machine");
      run.date = entry.at("date");
      for (const auto& [name, value] : entry.at("values").items()) run.values[name] = value;
    }
  } catch (const json::exception& error) {
    throw BadInput(fmt::format("{}: {}", file.string(), error.what()), "figures remake writes it anew");
  }
  return results;
}

void write_results(const Results& results, const std::filesystem::path& file) {
  nlohmann::ordered_json all;
  for (const auto& [id, run] : results) {
    nlohmann::ordered_json& entry = all[id];
    entry["machine"] = run.machine;
    entry["date"] = run.date;
    for (const auto& [name, value] : run.values) entry["values"][name] = value;
  }
  std::ofstream stream(file);
  stream << all.dump(2) << "\n";
  if (!stream.flush()) throw Failure(fmt::format("{}: cannot be written", file.string()), "is the disk full?");
}

bool same_value(const Value& value, const Value& again) {
  constexpr double kLastBits = 1e-9;
  if (!value.is_number() || !again.is_number()) return value == again;
  const double a = value.get<double>(), b = again.get<double>();
  return std::abs(a - b) <= kLastBits * std::max(std::abs(a), std::abs(b));
}

std::map<std::string, Value> all_values(const Recipe& recipe, const Results& results) {
  std::map<std::string, Value> values;
  for (const Run& run : recipe.runs) {
    const auto made = results.find(run.id);
    for (const auto& [name, source] : run.values) {
      if (made == results.end() || made->second.values.count(name) == 0) {
        throw BadInput(fmt::format("{}: there is no result {}.{}", recipe.name, run.id, name), remake_hint(recipe));
      }
      values[run.id + "." + name] = made->second.values.at(name);
    }
  }
  for (const auto& [name, derived] : recipe.derived) values[name] = computed(derived, values);
  return values;
}

}  // namespace stagecraft::figures
