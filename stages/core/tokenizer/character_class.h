#pragma once
/// @file
/// White space and word characters of Unicode, at the edges of a text. For added tokens that stand as single words or
/// take the white space around them along.
#include <cstddef>
#include <string_view>

namespace stagecraft::tokenizer {

/// Whether `text` (UTF-8) begins with a letter, mark, digit or connecting sign: what `\w` matches.
bool begins_with_word_character(std::string_view text);
bool ends_with_word_character(std::string_view text);

/// Bytes of white space that `text` (UTF-8) begins with.
size_t white_space_at_begin(std::string_view text);
size_t white_space_at_end(std::string_view text);

}  // namespace stagecraft::tokenizer
