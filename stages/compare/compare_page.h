#pragma once
/// @file
/// The comparison as one HTML page with charts; beside each chart its numbers as a table.
#include <string>

#include "stages/compare/comparison.h"

namespace stagecraft {

std::string comparison_page(const Comparison& comparison);

}  // namespace stagecraft
