#include "stages/core/tokenizer/byte_alphabet.h"

#include <array>

#include "stages/core/tokenizer/utf8.h"

namespace stagecraft::tokenizer {
namespace {

constexpr size_t kBytes = 256;
constexpr char32_t kFirstSubstitute = 0x100;
constexpr size_t kSubstitutes = 68;

constexpr bool stands_for_itself(size_t byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
  std::array<std::string, kBytes> characters;                   // by byte
  std::array<int, kFirstSubstitute + kSubstitutes> bytes = {};  // by code point; -1 where it stands for none

  Alphabet() {
    bytes.fill(-1);
    char32_t substitute = kFirstSubstitute;
    for (size_t byte = 0; byte < kBytes; ++byte) {
      const char32_t code = stands_for_itself(byte) ? char32_t(byte) : substitute++;
      append_utf8(characters[byte], code);
      bytes[code] = int(byte);
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet instance;
  return instance;
}

}  // namespace

const std::string& byte_character(uint8_t byte) { return alphabet().characters[byte]; }

std::optional<std::string> bytes_of(std::string_view text) {
  const auto& table = alphabet().bytes;
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    if (step.code >= table.size() || table[step.code] < 0) return std::nullopt;
    bytes += char(table[step.code]);
    at += step.bytes;
  }
  return bytes;
}

}  // namespace stagecraft::tokenizer
