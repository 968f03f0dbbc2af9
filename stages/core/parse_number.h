#pragma once
/// @file
/// Numbers from text, strictly: the whole text is one number and it is in range. The C library's functions read "010"
/// as eight, "-1" as 2^64 - 1 and "12abc" as twelve.
#include <charconv>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {

/// `text` as a T between `least` and `most`, both included. `what` names it in the BadInput that is thrown otherwise,
/// as in "--threads: '0' is not a whole number between 1 and 1024".
template <class T>
T parse_number(std::string_view what, std::string_view text, T least, T most) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stopped_at, error] = std::from_chars(text.data(), end, value);
  // Written so that a NaN fails.
  if (error == std::errc{} && stopped_at == end && value >= least && value <= most) return value;
  const std::string_view kind = std::is_integral_v<T> ? "whole number" : "number";
  throw BadInput(fmt::format("{}: '{}' is not a {} in range", what, text, kind),
                 fmt::format("give a {} between {} and {}", kind, least, most));
}

}  // namespace stagecraft
