/// @file
/// Strict UTF-8: every code point goes there and back, and everything else is found out.
#include "stages/core/tokenizer/utf8.h"

#include <string>
#include <utility>
#include <vector>

#include "tests/catch.h"

using namespace stagecraft::tokenizer;

TEST_CASE("every code point but the surrogates is written and read back") {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, code);
    const Utf8Step step = utf8_step(text, 0);
    if (step.kind != Utf8Kind::character || step.code != code || step.bytes != text.size() ||
        character_bytes(text, 0) != text.size()) {
      FAIL("code point " << uint32_t(code));
    }
  }
}

TEST_CASE("overlong forms, surrogates and what lies beyond Unicode are broken, at their first byte") {
  for (const char* bytes : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3(", "\xE4\xB8", "\xF0\x9F\x98"}) {
    INFO(bytes);
    CHECK(first_broken_byte(std::string("ab") + bytes) == 2);
  }
  CHECK(first_broken_byte("a\u00E9\u4E16\U0001F600\uFFFD") == std::string::npos);
  CHECK(first_broken_byte("") == std::string::npos);
}

TEST_CASE("the longest part that could have begun a character becomes one U+FFFD") {
  // The example of the Unicode standard, section 3.9: 61 F1 80 80 E1 80 C2 62 80 63 80 BF 64.
  std::string bytes = "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", text;
  move_characters(bytes, text, /*at_end=*/true);
  CHECK(text == "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
  CHECK(bytes.empty());
}

TEST_CASE("a torn character waits for its rest, and is given up at the end") {
  std::string bytes = "a\xF0\x9F", text;
  move_characters(bytes, text, /*at_end=*/false);
  CHECK(text == "a");
  CHECK(bytes == "\xF0\x9F");
  bytes += "\x98\x80";
  move_characters(bytes, text, /*at_end=*/false);
  CHECK(text == "a\U0001F600");
  bytes = "\xF0\x9F";
  move_characters(bytes, text, /*at_end=*/true);
  CHECK(text == "a\U0001F600\uFFFD");
}
