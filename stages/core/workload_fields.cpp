/// @file
/// Token counts, seconds and timestamps from text, exactly and strictly.
#include "stages/core/workload_fields.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr size_t kNsDigits = 9;
constexpr int64_t kMostTokens = std::numeric_limits<int32_t>::max();
constexpr int64_t kMostSeconds = int64_t{10} * 366 * 24 * 3600;  // no run is longer than ten years

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The digits after a decimal point as nanoseconds: "5" is 500,000,000.
int64_t fraction_ns(std::string_view where, std::string_view digits) {
  if (!all_digits(digits) || digits.size() > kNsDigits) {
    throw BadInput(fmt::format("{}: '.{}' is not a fraction of a second", where, digits),
                   fmt::format("up to {} digits can follow the point", kNsDigits));
  }
  std::string padded(digits);
  padded.resize(kNsDigits, '0');
  return parse_number<int64_t>(where, padded, 0, kNsPerSecond - 1);
}

}  // namespace

std::vector<std::string_view> split_at_commas(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

int64_t check_token_count(std::string_view where, int64_t count) {
  if (count >= 1 && count <= kMostTokens) return count;
  throw BadInput(fmt::format("{}: {} tokens; a request has a prompt and asks for output", where, count),
                 fmt::format("a number between 1 and {} works", kMostTokens));
}

int64_t parse_token_count(std::string_view where, std::string_view text) {
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  return check_token_count(where, parse_number<int64_t>(where, text, -kAny, kAny));
}

int64_t parse_seconds(std::string_view where, std::string_view text) {
  if (!text.empty() && text.front() == '-') {
    throw BadInput(fmt::format("{}: an arrival at {} s lies before the start", where, text),
                   "arrivals count from 0, the start of the workload");
  }
  const size_t point = text.find('.');
  const int64_t seconds = parse_number<int64_t>(where, text.substr(0, point), 0, kMostSeconds);
  const int64_t fraction = point == std::string_view::npos ? 0 : fraction_ns(where, text.substr(point + 1));
  return seconds * kNsPerSecond + fraction;
}

int64_t parse_timestamp(std::string_view where, std::string_view text) {
  // Digits stand where the pattern has a 0.
  constexpr std::string_view kPattern = "0000-00-00 00:00:00";
  const auto refuse = [&] {
    throw BadInput(fmt::format("{}: '{}' is not a time like 2023-11-16 18:15:46.6805900", where, text));
  };
  const auto fits = [](char shape, char c) { return shape == '0' ? c >= '0' && c <= '9' : c == shape; };
  if (text.size() < kPattern.size() || !std::equal(kPattern.begin(), kPattern.end(), text.begin(), fits)) refuse();
  const auto number = [&](size_t at, size_t digits) {
    return parse_number<int>(where, text.substr(at, digits), 0, 9999);
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)), std::chrono::month(unsigned(number(5, 2))),
                                        std::chrono::day(unsigned(number(8, 2)))};
  const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 59) refuse();

  const std::string_view rest = text.substr(kPattern.size());
  if (!rest.empty() && rest.front() != '.') refuse();
  const int64_t fraction = rest.empty() ? 0 : fraction_ns(where, rest.substr(1));
  const std::chrono::seconds since_1970 = std::chrono::sys_days(day).time_since_epoch() + std::chrono::hours(hour) +
                                          std::chrono::minutes(minute) + std::chrono::seconds(second);
  return int64_t(since_1970.count()) * kNsPerSecond + fraction;
}

}  // namespace stagecraft
