#pragma once
/// @file
/// The tokenizer of models/tales-5m, read once. It is byte-level: each byte is a token too.
#include "kernels/check.h"
#include "stages/core/tokenizer/tokenizer.h"

namespace stagecraft::testing {

inline constexpr TokenId kTalesEndOfText = 0;

inline const Tokenizer& tales_tokenizer() {
  static const Tokenizer tokenizer = Tokenizer::load(STAGECRAFT_SOURCE_DIR "/models/tales-5m");
  return tokenizer;
}

/// The id whose text is this one byte. Ids 1 to 256 are the bytes in the order of GPT-2's alphabet: first those that
/// print, then the others.
inline TokenId id_of_byte(unsigned char wanted) {
  const auto prints = [](int byte) { return (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD); };
  TokenId id = 0;
  for (const bool printing : {true, false}) {
    for (int byte = 0; byte < 256; ++byte) {
      if (prints(byte) != printing) continue;
      ++id;
      if (byte == wanted) return id;
    }
  }
  check(false, "every byte is in the alphabet");
  return id;
}

}  // namespace stagecraft::testing
