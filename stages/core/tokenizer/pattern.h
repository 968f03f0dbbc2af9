#pragma once
/// @file
/// What a Split or Replace looks for: a fixed string, a regular expression, or digits.
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/regex.h"

namespace stagecraft::tokenizer {

class Pattern {
 public:
  /// `pattern`: {"String": "..."} or {"Regex": "..."}.
  explicit Pattern(const JsonField& pattern);
  /// The fixed string `text`, which is not empty.
  static Pattern fixed(std::string text) { return Pattern(Fixed{std::move(text)}); }
  /// The regular expression `pattern`; errors name `field`.
  static Pattern regex(const std::string& pattern, const JsonField& field) { return Pattern(Regex(pattern, field)); }
  /// Characters of Unicode's category N: each by itself, or as runs.
  static Pattern digits(bool individually) { return Pattern(Digits{individually}); }

 private:
  friend class PatternSearch;
  struct Fixed {
    std::string text;
  };
  struct Digits {
    bool individually;
  };
  using Kind = std::variant<Fixed, Regex, Digits>;

  explicit Pattern(Kind kind) : kind_(std::move(kind)) {}
  static Kind parse(const JsonField& pattern);

  Kind kind_;
};

/// Searches texts for one pattern, which must outlive it.
class PatternSearch {
 public:
  explicit PatternSearch(const Pattern& pattern);

  /// All matches in `text` (UTF-8), from left to right, none overlapping. An empty match counts unless it touches the
  /// end of the match before it. The result is valid until the next call.
  const std::vector<Range>& find_all(std::string_view text);

 private:
  void find_fixed(std::string_view text, std::string_view wanted);
  void find_regex(std::string_view text);
  void find_digits(std::string_view text, bool individually);

  const Pattern* pattern_;
  std::unique_ptr<RegexSearch> regex_;
  std::vector<Range> matches_;
};

/// `text` with each of `matches` replaced by `content`.
std::string replace_all(std::string_view text, const std::vector<Range>& matches, std::string_view content);

}  // namespace stagecraft::tokenizer
