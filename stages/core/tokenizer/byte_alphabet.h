#pragma once
/// @file
/// The alphabet of byte-level BPE (GPT-2): each of the 256 bytes is written as one printable character, so that every
/// text is made of known characters and a vocabulary can be kept as text.
///
/// Printable bytes of Latin-1 stand for themselves; the other 68 become U+0100, U+0101, ... in order: a space is
/// U+0120.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stagecraft::tokenizer {

/// The character that stands for `byte`, as UTF-8.
const std::string& byte_character(uint8_t byte);

/// The bytes that the characters of `text` (UTF-8) stand for; nothing if one of them is not in the alphabet.
std::optional<std::string> bytes_of(std::string_view text);

}  // namespace stagecraft::tokenizer
