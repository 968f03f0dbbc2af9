#include "stages/core/tokenizer/utf8.h"

#include <cstdint>

namespace stagecraft::tokenizer {
namespace {

/// What a lead byte promises: how long the character is and which second bytes are allowed.
struct Lead {
  size_t bytes;  // 0: no character begins so
  uint8_t second_least;
  uint8_t second_most;
};

Lead lead(uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};  // continuation bytes, and the overlong C0 and C1
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};  // no overlong forms
  if (byte == 0xED) return {3, 0x80, 0x9F};  // no surrogates
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};  // no overlong forms
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};  // nothing beyond U+10FFFF
  return {0, 0, 0};
}

}  // namespace

Utf8Step utf8_step(std::string_view text, size_t at) {
  const auto first = uint8_t(text[at]);
  const Lead shape = lead(first);
  if (shape.bytes == 0) return {Utf8Kind::broken, 1};
  if (shape.bytes == 1) return {Utf8Kind::character, 1, first};

  char32_t code = first & (0x7Fu >> shape.bytes);
  for (size_t i = 1; i < shape.bytes; ++i) {
    if (at + i == text.size()) return {Utf8Kind::torn, i};
    const auto byte = uint8_t(text[at + i]);
    const uint8_t least = i == 1 ? shape.second_least : 0x80;
    const uint8_t most = i == 1 ? shape.second_most : 0xBF;
    if (byte < least || byte > most) return {Utf8Kind::broken, i};
    code = (code << 6) | (byte & 0x3Fu);
  }
  return {Utf8Kind::character, shape.bytes, code};
}

size_t first_broken_byte(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    if (step.kind != Utf8Kind::character) return at;
    at += step.bytes;
  }
  return std::string_view::npos;
}

size_t character_bytes(std::string_view text, size_t at) { return lead(uint8_t(text[at])).bytes; }

void append_utf8(std::string& text, char32_t code) {
  const auto continuation = [&](int shift) { text += char(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    text += char(0xC0 | (code >> 6));
    continuation(0);
  } else if (code < 0x10000) {
    text += char(0xE0 | (code >> 12));
    continuation(6);
    continuation(0);
  } else {
    text += char(0xF0 | (code >> 18));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

void move_characters(std::string& bytes, std::string& text, bool at_end) {
  size_t at = 0;
  while (at < bytes.size()) {
    const Utf8Step step = utf8_step(bytes, at);
    if (step.kind == Utf8Kind::torn && !at_end) break;
    if (step.kind == Utf8Kind::character) {
      text.append(bytes, at, step.bytes);
    } else {
      text += kReplacementCharacter;
    }
    at += step.bytes;
  }
  bytes.erase(0, at);
}

}  // namespace stagecraft::tokenizer
