#pragma once
/// @file
/// Whether two runs gave the same tokens: the condition under which their times may be compared at all.
#include <optional>
#include <string>
#include <string_view>

#include "stages/core/run_log.h"

namespace stagecraft {

/// The first place where two runs part. A token that is absent: the output had ended there.
struct OutputDifference {
  int request = 0;
  int64_t token = 0;  // of the output, counted from 0
  std::optional<TokenId> expected, actual;
};

/// Nothing if all requests have the same output tokens. Both runs are of the same requests.
std::optional<OutputDifference> first_difference(const RunLog& expected, const RunLog& actual);

/// Throws Failure that names request, token and both runs if their outputs differ.
void check_same_output(const RunLog& expected, std::string_view name_of_expected, const RunLog& actual,
                       std::string_view name_of_actual);

}  // namespace stagecraft
