#pragma once
/// @file
/// A plan as JSON. A field that does not apply is absent, never zero.
///
///     { "model": {..}, "gpu": {..}, "demand": {..}, "memory_bytes": {..}, "alone": {..}, "full": {..}, "capacity": {..},
///       "sizing": {..}, "price_per_million_output_tokens", "sweep": [..], "levers": [..], "api": {..} }
#include <nlohmann/json_fwd.hpp>

#include "stages/plan/plan_report.h"

namespace stagecraft {

nlohmann::ordered_json plan_json(const PlanReport& report);

}  // namespace stagecraft
