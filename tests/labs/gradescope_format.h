#pragma once
/// @file
/// Gradescope's results.json as its "Autograder Specifications" and "Leaderboards" pages describe it
/// (gradescope-autograders.readthedocs.io): which fields there are, and which values they may have.
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/catch.h"

namespace stagecraft::testing {

inline void require_fields(const nlohmann::json& json, const std::set<std::string>& known) {
  for (const auto& [key, value] : json.items()) {
    INFO(key);
    REQUIRE(known.count(key) == 1);
  }
}

/// If the field is there, it has one of these values.
inline void require_one_of(const nlohmann::json& json, const char* key, const std::set<std::string>& values) {
  if (!json.contains(key)) return;
  INFO(key << ": " << json[key]);
  REQUIRE(json[key].is_string());
  REQUIRE(values.count(json[key].get<std::string>()) == 1);
}

inline void require_common_fields(const nlohmann::json& json) {
  const std::set<std::string> formats = {"text", "html", "simple_format", "md", "ansi"};
  const std::set<std::string> visibilities = {"hidden", "after_due_date", "after_published", "visible"};
  for (const char* key : {"output_format", "test_output_format", "test_name_format", "name_format"})
    require_one_of(json, key, formats);
  for (const char* key : {"visibility", "stdout_visibility"}) require_one_of(json, key, visibilities);
  if (json.contains("output")) REQUIRE(json["output"].is_string());
}

/// Returns the sum of the tests' scores.
inline double require_tests(const nlohmann::json& tests) {
  double sum = 0;
  for (const auto& test : tests) {
    INFO(test.dump());
    require_fields(test, {"score", "max_score", "status", "name", "name_format", "number", "output", "output_format",
                          "tags", "visibility", "extra_data"});
    require_common_fields(test);
    require_one_of(test, "status", {"passed", "failed"});
    REQUIRE(test.contains("score") == test.contains("max_score"));
    if (!test.contains("score")) continue;
    REQUIRE(test["score"].get<double>() >= 0);
    REQUIRE(test["score"].get<double>() <= test["max_score"].get<double>());
    sum += test["score"].get<double>();
  }
  return sum;
}

inline void require_gradescope_format(const nlohmann::json& json) {
  require_fields(json, {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
                        "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"});
  require_common_fields(json);
  REQUIRE(json.at("tests").is_array());
  REQUIRE(json.at("score").get<double>() == Approx(require_tests(json["tests"])));
  for (const auto& entry : json.value("leaderboard", nlohmann::json::array())) {
    require_fields(entry, {"name", "value", "order"});
    REQUIRE(entry.at("name").is_string());
    require_one_of(entry, "order", {"asc", "desc"});
  }
}

}  // namespace stagecraft::testing
