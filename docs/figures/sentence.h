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
#include <optional>
#include <string>
#include <string_view>

#include "docs/figures/results.h"

namespace stagecraft::figures {

/// Throws BadInput, with the placeholder, for a name or form that there is not.
std::string filled(std::string_view sentence, const std::map<std::string, Value>& values);

/// Characters [begin, end) of a chapter.
struct Place {
  size_t begin, end;
};

/// Where `chapter` has `sentence` first, wherever their lines break.
std::optional<Place> place_of(std::string_view sentence, std::string_view chapter);

/// Whether it has it at all.
bool holds(std::string_view chapter, std::string_view sentence);

/// `text` with each run of white space as one space, and none at its ends.
std::string in_one_line(std::string_view text);

}  // namespace stagecraft::figures
