#pragma once
/// @file
/// Unicode Normalization Form C: characters decomposed, combining marks put in canonical order, and composed again, so
/// that "e" + U+0301 and U+00E9 become the same.
///
/// Source: Unicode Standard Annex #15.
#include <string>
#include <string_view>

namespace stagecraft::tokenizer {

/// NFC of `text`, which must be UTF-8. Near-linear also where thousands of marks stand on one letter.
std::string nfc(std::string_view text);

}  // namespace stagecraft::tokenizer
