#pragma once
/// @file
/// UTF-8, the strict kind of the Unicode standard (table 3-7): no overlong forms, no surrogates, nothing beyond
/// U+10FFFF.
#include <cstddef>
#include <string>
#include <string_view>

namespace stagecraft::tokenizer {

/// U+FFFD, what stands for bytes that make no character.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// What stands at one place of a byte string.
enum class Utf8Kind {
  character,  // a whole character
  torn,       // the beginning of one, cut off by the end of the bytes: more bytes may complete it
  broken,     // bytes that no further bytes can turn into a character
};

/// One step through bytes that may or may not be UTF-8.
struct Utf8Step {
  Utf8Kind kind;
  size_t bytes;            // how many to step over, at least 1; for `broken` the longest part that one U+FFFD replaces
  char32_t code = 0xFFFD;  // of a whole character
};

/// What begins at `text[at]`; `at` must be less than the size.
Utf8Step utf8_step(std::string_view text, size_t at);

/// Offset of the first byte that is not part of a character; `npos` where all of `text` is UTF-8.
size_t first_broken_byte(std::string_view text);

/// Bytes of the character that begins at `text[at]`, where `text` is known to be UTF-8.
size_t character_bytes(std::string_view text, size_t at);

/// Appends the character `code` as UTF-8.
void append_utf8(std::string& text, char32_t code);

/// Moves what is certain from the front of `bytes` to `text`: whole characters as they are, U+FFFD for each broken part
/// (its longest beginning that could have started a character, as the Unicode standard recommends). A torn character at
/// the end stays in `bytes`, unless `at_end`.
void move_characters(std::string& bytes, std::string& text, bool at_end);

}  // namespace stagecraft::tokenizer
