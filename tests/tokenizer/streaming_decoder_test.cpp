/// @file
/// Text that is printed token by token: never a torn character, and the same in the end as in one go.
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/tokenizer/small_tokenizer.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

/// Every byte of "é世😀" is a piece of its own, written in the byte alphabet; "<s>" is special.
Tokenizer byte_level() {
  nlohmann::json document = small_document();
  document["decoder"] = {{"type", "ByteLevel"}};
  document["model"]["vocab"] =
      vocabulary_of({"\u00C3", "\u00A9", "\u00E4", "\u00B8", "\u0138", "\u00F0", "\u0141", "\u013A", "\u0122", "a"});
  document["model"]["merges"] = nlohmann::json::array();
  document["added_tokens"] = nlohmann::json::array({added_token(10, "<s>")});
  return parse(document);
}

nlohmann::json llama_decoder() {
  return {{"type", "Sequence"},
          {"decoders",
           {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}},
            {{"type", "ByteFallback"}},
            {{"type", "Fuse"}},
            {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}};
}

Tokenizer byte_fallback() {
  nlohmann::json document = small_document();
  document["decoder"] = llama_decoder();
  document["model"]["vocab"] = vocabulary_of({"<0xC3>", "<0xA9>", "a", "\u2581", "\u2581\u2581"});
  document["model"]["merges"] = nlohmann::json::array();
  return parse(document);
}

std::vector<std::string> parts(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  StreamingDecoder decoder(tokenizer);
  std::vector<std::string> all;
  for (const TokenId id : ids) all.push_back(decoder.push(id));
  all.push_back(decoder.finish());
  return all;
}

using Parts = std::vector<std::string>;

}  // namespace

TEST_CASE("a character that comes byte by byte is printed with its last byte") {
  const Tokenizer tokenizer = byte_level();
  CHECK(parts(tokenizer, {0, 1}) == Parts{"", "\u00E9", ""});
  CHECK(parts(tokenizer, {2, 3, 4, 9}) == Parts{"", "", "\u4E16", "a", ""});
  CHECK(parts(tokenizer, {5, 6, 7, 8}) == Parts{"", "", "", "\U0001F600", ""});
}

TEST_CASE("a torn character becomes U+FFFD only when nothing can complete it any more") {
  const Tokenizer tokenizer = byte_level();
  CHECK(parts(tokenizer, {5, 6}) == Parts{"", "", "\uFFFD"});                      // the end
  CHECK(parts(tokenizer, {5, 9}) == Parts{"", "\uFFFDa", ""});                     // a letter behind it
  CHECK(parts(tokenizer, {5, 2, 3, 4}) == Parts{"", "\uFFFD", "", "\u4E16", ""});  // another character behind it
  CHECK(parts(tokenizer, {1}) == Parts{"\uFFFD", ""});                             // a byte that begins nothing
}

TEST_CASE("a skipped special token does not tear the character around it") {
  const Tokenizer tokenizer = byte_level();
  CHECK(parts(tokenizer, {0, 10, 1}) == Parts{"", "", "\u00E9", ""});
  CHECK(tokenizer.decode({0, 10, 1}) == "\uFFFD<s>\uFFFD");
}

TEST_CASE("a run of byte pieces is text only if all of it is UTF-8") {
  const Tokenizer tokenizer = byte_fallback();
  CHECK(parts(tokenizer, {2, 0, 1, 2}) == Parts{"a", "", "", "\u00E9a", ""});
  CHECK(parts(tokenizer, {0, 1, 0}) == Parts{"", "", "", "\uFFFD\uFFFD\uFFFD"});
}

TEST_CASE("only the space at the very beginning of the text is stripped") {
  const Tokenizer tokenizer = byte_fallback();
  CHECK(parts(tokenizer, {3, 2, 3, 2}) == Parts{"", "a", " ", "a", ""});
  CHECK(parts(tokenizer, {4, 3}) == Parts{" ", " ", ""});
  CHECK(parts(tokenizer, {2, 3}) == Parts{"a", " ", ""});
}

TEST_CASE("without Fuse, Strip works on every piece") {
  nlohmann::json document = small_document();
  document["decoder"] = {{"type", "Strip"}, {"content", "a"}, {"start", 1}, {"stop", 0}};
  CHECK(parse(document).decode({0, 5, 6, 1}) == "bbcb");
}

TEST_CASE("Metaspace drops its sign in the first piece only, unless it never puts one") {
  nlohmann::json document = small_document();
  document["decoder"] = {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "first"}};
  CHECK(parse(document).decode({4, 0, 4, 1}) == "a b");
  document["decoder"]["prepend_scheme"] = "never";
  CHECK(parse(document).decode({4, 0, 4, 1}) == " a b");
}
