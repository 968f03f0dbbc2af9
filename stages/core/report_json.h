#pragma once
/// @file
/// The report of `--json`, in the same shape for all stages. A field that a stage does not have is absent, never zero.
/// Times are milliseconds, counts are integers.
#include <nlohmann/json_fwd.hpp>

#include "stages/core/run_report.h"

namespace stagecraft {

/// Keys come in the order in which a person reads them.
nlohmann::ordered_json report_json(const RunReport& report);

}  // namespace stagecraft
