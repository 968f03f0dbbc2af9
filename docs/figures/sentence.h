#pragma once
/// @file
/// A sentence with its numbers filled in, and whether a chapter has it.
///
/// {name:count}       1,234,567      rounded to a whole number
/// {name:fixed.2}     3.14           so many digits
/// {name:percent.1}   2.4            a share, times 100 (the sentence has the sign, as it likes it)
/// {name:scaled.6.1}  12.3           divided by 10^6
/// {name:text}                       as it is
#include <map>
#include <string>
#include <string_view>

#include "docs/figures/results.h"

namespace stagecraft::figures {

/// Throws BadInput, with the placeholder, for a name or form that there is not.
std::string filled(std::string_view sentence, const std::map<std::string, Value>& values);

/// Whether `chapter` has `sentence`, wherever their lines break.
bool holds(std::string_view chapter, std::string_view sentence);

/// `chapter` with each run of white space as one space: what holds() searches.
std::string in_one_line(std::string_view chapter);

}  // namespace stagecraft::figures
