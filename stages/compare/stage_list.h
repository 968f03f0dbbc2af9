#pragma once
/// @file
/// The stages that `compare` knows. A further stage is one more entry.
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "stages/core/command_line.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

/// Limits that all stages get alike, as far as they have them.
struct EngineLimits {
  int batch = 8;               // requests that hold K/V at a time
  int64_t token_budget = 256;  // rows of a step
};

struct StageEntry {
  StageInfo info;
  bool batches;  // several requests share a step, so EngineLimits::batch matters
  std::function<std::unique_ptr<StageEngine>(const EngineLimits&)> make;
};

/// In the order of the course.
std::vector<StageEntry> all_stages();

/// Those of `list`, such as "1,3,4". Throws BadInput for a stage that does not exist, comes twice, or comes before an
/// earlier one: each is shown against the one before it.
std::vector<StageEntry> stages_from(std::string_view list);

}  // namespace stagecraft
