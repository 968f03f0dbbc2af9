#pragma once
/// @file
/// The fields of a workload file's line, and what they mean. All functions throw BadInput that starts with `where`.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

/// The parts of `line` between commas. Quotes have no meaning: no field of ours holds a comma.
std::vector<std::string_view> split_at_commas(std::string_view line);

/// A number of tokens: at least 1, and few enough for 32-bit positions.
int64_t parse_token_count(std::string_view where, std::string_view text);
int64_t check_token_count(std::string_view where, int64_t count);

/// Seconds such as "0", "12.5" or "0.000000001", in nanoseconds, exactly.
int64_t parse_seconds(std::string_view where, std::string_view text);

/// A moment such as "2023-11-16 18:15:46.6805900", in nanoseconds since 1970.
int64_t parse_timestamp(std::string_view where, std::string_view text);

}  // namespace stagecraft
