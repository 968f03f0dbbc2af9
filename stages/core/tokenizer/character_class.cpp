#include "stages/core/tokenizer/character_class.h"

#include <cstdint>

#include <utf8proc.h>

#include "stages/core/tokenizer/utf8.h"

namespace stagecraft::tokenizer {
namespace {

bool is_word_character(char32_t code) {
  constexpr char32_t kZeroWidthNonJoiner = 0x200C, kZeroWidthJoiner = 0x200D;
  if (code == kZeroWidthNonJoiner || code == kZeroWidthJoiner) return true;
  switch (utf8proc_category(utf8proc_int32_t(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

bool is_white_space(char32_t code) {
  constexpr char32_t kTab = 0x09, kCarriageReturn = 0x0D, kNextLine = 0x85;
  if ((code >= kTab && code <= kCarriageReturn) || code == kNextLine) return true;
  switch (utf8proc_category(utf8proc_int32_t(code))) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return false;
  }
}

/// Where the last character of `text` begins.
size_t last_character(std::string_view text) {
  const auto continues = [](char byte) { return (uint8_t(byte) & 0xC0) == 0x80; };
  size_t at = text.size() - 1;
  while (at > 0 && continues(text[at])) --at;
  return at;
}

}  // namespace

bool begins_with_word_character(std::string_view text) {
  return !text.empty() && is_word_character(utf8_step(text, 0).code);
}

bool ends_with_word_character(std::string_view text) {
  return !text.empty() && is_word_character(utf8_step(text, last_character(text)).code);
}

size_t white_space_at_begin(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const Utf8Step step = utf8_step(text, at);
    if (!is_white_space(step.code)) break;
    at += step.bytes;
  }
  return at;
}

size_t white_space_at_end(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    const size_t last = last_character(text.substr(0, begin));
    if (!is_white_space(utf8_step(text, last).code)) break;
    begin = last;
  }
  return text.size() - begin;
}

}  // namespace stagecraft::tokenizer
