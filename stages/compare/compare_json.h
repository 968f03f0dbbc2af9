#pragma once
/// @file
/// The comparison as JSON.
#include <nlohmann/json_fwd.hpp>

#include "stages/compare/comparison.h"

namespace stagecraft {

/// Each stage's typical round in the shape of `--json` of its program (report_json.h), with "ladder": median, least and
/// most of each metric over the rounds, the ratio to the stage before and "change"; and "prediction" if it was asked
/// for. What was not done is absent.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace stagecraft
