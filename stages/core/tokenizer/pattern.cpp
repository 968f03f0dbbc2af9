#include "stages/core/tokenizer/pattern.h"

#include <utf8proc.h>

#include "stages/core/tokenizer/part.h"
#include "stages/core/tokenizer/utf8.h"

namespace stagecraft::tokenizer {
namespace {

bool is_digit(char32_t code) {
  const auto category = utf8proc_category(utf8proc_int32_t(code));
  return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_NO;
}

}  // namespace

Pattern::Pattern(const JsonField& pattern) : kind_(parse(pattern)) {}

Pattern::Kind Pattern::parse(const JsonField& pattern) {
  if (const auto regex = pattern.find("Regex")) return Regex(regex->text(), *regex);
  const auto fixed = pattern.find("String");
  if (!fixed) pattern.fail("must be {\"String\": ...} or {\"Regex\": ...}", kUnsupportedHint);
  if (fixed->text().empty()) fixed->fail("must not be empty");
  return Fixed{fixed->text()};
}

PatternSearch::PatternSearch(const Pattern& pattern) : pattern_(&pattern) {
  if (const auto* regex = std::get_if<Regex>(&pattern.kind_)) regex_ = std::make_unique<RegexSearch>(*regex);
}

const std::vector<Range>& PatternSearch::find_all(std::string_view text) {
  matches_.clear();
  if (regex_) {
    find_regex(text);
  } else if (const auto* fixed = std::get_if<Pattern::Fixed>(&pattern_->kind_)) {
    find_fixed(text, fixed->text);
  } else {
    find_digits(text, std::get<Pattern::Digits>(pattern_->kind_).individually);
  }
  return matches_;
}

void PatternSearch::find_fixed(std::string_view text, std::string_view wanted) {
  for (size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + wanted.size())) {
    matches_.push_back({at, at + wanted.size()});
  }
}

void PatternSearch::find_regex(std::string_view text) {
  regex_->allow(text.size());
  for (size_t at = 0; at <= text.size();) {
    const auto match = regex_->match_at(text, at);
    const bool touches_last = match && !matches_.empty() && match->begin == matches_.back().end;
    const bool empty = match && match->begin == match->end;
    if (match && !(empty && touches_last)) matches_.push_back(*match);
    if (match && !empty) {
      at = match->end;
    } else {
      at += at < text.size() ? character_bytes(text, at) : 1;
    }
  }
}

void PatternSearch::find_digits(std::string_view text, bool individually) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    const size_t end = at + step.bytes;
    if (is_digit(step.code)) {
      const bool extends = !individually && !matches_.empty() && matches_.back().end == at;
      if (extends) {
        matches_.back().end = end;
      } else {
        matches_.push_back({at, end});
      }
    }
    at = end;
  }
}

std::string replace_all(std::string_view text, const std::vector<Range>& matches, std::string_view content) {
  std::string replaced;
  size_t copied = 0;
  for (const Range& match : matches) {
    replaced.append(text, copied, match.begin - copied).append(content);
    copied = match.end;
  }
  return replaced.append(text, copied);
}

}  // namespace stagecraft::tokenizer
