/// @file
/// The parts of a tokenizer.json, one by one: what they do to a text. Expected values were taken from Hugging Face tokenizers.
#include <string>

#include "tests/catch.h"
#include "tests/tokenizer/small_tokenizer.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

nlohmann::json split(const std::string& kind, const std::string& pattern, const std::string& behavior) {
  return {{"type", "Split"}, {"pattern", {{kind, pattern}}}, {"behavior", behavior}};
}

/// Pieces of `text` where every word is in the vocabulary as a whole, so that pieces show the words.
std::string words(const nlohmann::json& pre_tokenizer, const std::string& text,
                  const std::vector<std::string>& vocabulary) {
  nlohmann::json document = small_document();
  document["model"]["vocab"] = vocabulary_of(vocabulary);
  document["model"]["merges"] = nlohmann::json::array();
  document["model"]["ignore_merges"] = true;
  document["pre_tokenizer"] = pre_tokenizer;
  return pieces_of(parse(document), text);
}

std::string pieces_with(const std::string& field, const nlohmann::json& value, const std::string& text) {
  nlohmann::json document = small_document();
  document[field] = value;
  return pieces_of(parse(document), text);
}

}  // namespace

TEST_CASE("Split keeps, drops or joins its separators") {
  const std::string text = "a--b-c";
  const std::vector<std::string> all = {"a", "b", "c", "-", "--", "a-", "b-", "-b", "-c", "--b"};
  CHECK(words(split("String", "-", "Isolated"), text, all) == "a|-|-|b|-|c");
  CHECK(words(split("String", "-", "Removed"), text, all) == "a|b|c");
  CHECK(words(split("String", "-", "MergedWithPrevious"), text, all) == "a-|-|b-|c");
  CHECK(words(split("String", "-", "MergedWithNext"), text, all) == "a|-|-b|-c");
  CHECK(words(split("String", "-", "Contiguous"), text, all) == "a|--|b|-|c");
}

TEST_CASE("an inverted Split takes what lies between the matches for separators") {
  nlohmann::json inverted = split("Regex", "[a-z]", "Removed");
  inverted["invert"] = true;
  CHECK(words(inverted, "a--b", {"a", "b", "--"}) == "a|b");
}

TEST_CASE("an empty match cuts the text, but not beside another match") {
  CHECK(words(split("Regex", "(?=b)", "Isolated"), "abab", {"a", "b", "ba", "ab"}) == "a|ba|b");
  CHECK(words(split("Regex", "a*", "Isolated"), "aab", {"a", "b", "aa", "ab", "aab"}) == "aa|b");
}

TEST_CASE("white space is that of Unicode: U+0085 and U+3000, but not U+180E") {
  const std::vector<std::string> all = {"a", "a\u180E"};
  CHECK(words(split("Regex", "\\s", "Removed"), "a\u0085a\u3000a\u180E\ta", all) == "a|a|a\u180E|a");
  CHECK(words(split("Regex", "[\\s]", "Removed"), "a\u0085a\u3000a\u180E\ta", all) == "a|a|a\u180E|a");
}

TEST_CASE("a word character may be a mark, and ^ and $ are those of a line") {
  CHECK(words(split("Regex", "\\w+", "Isolated"), "e\u0301-e", {"e", "e\u0301", "-"}) == "e\u0301|-|e");
  CHECK(words(split("Regex", "^.", "Isolated"), "ab\nab", {"a", "b\n", "b"}) == "a|b\n|a|b");
}

TEST_CASE("Digits are cut one by one, or as a run, in any script") {
  const std::vector<std::string> all = {"a", "1", "2", "12", "\u0663", "12\u0663"};
  CHECK(words({{"type", "Digits"}, {"individual_digits", true}}, "a12\u0663a", all) == "a|1|2|\u0663|a");
  CHECK(words({{"type", "Digits"}, {"individual_digits", false}}, "a12\u0663a", all) == "a|12\u0663|a");
}

TEST_CASE("Metaspace puts its sign before every word, the first, or none") {
  const auto metaspace = [](const char* scheme, bool split_words) -> nlohmann::json {
    return {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", scheme}, {"split", split_words}};
  };
  const std::vector<std::string> all = {"a", "\u2581a", "\u2581a\u2581a", "a\u2581a", "\u2581"};
  CHECK(words(metaspace("always", true), "a a", all) == "\u2581a|\u2581a");
  CHECK(words(metaspace("always", false), "a a", all) == "\u2581a\u2581a");
  CHECK(words(metaspace("never", true), "a a", all) == "a|\u2581a");
  CHECK(words(metaspace("first", false), " a", all) == "\u2581a");  // it begins with one already
  const nlohmann::json bars = split("String", "-", "Removed");
  const auto behind_bars = [&](const char* scheme) -> nlohmann::json {
    return {{"type", "Sequence"}, {"pretokenizers", {bars, metaspace(scheme, false)}}};
  };
  CHECK(words(behind_bars("first"), "a-a", all) == "\u2581a|a");
  CHECK(words(behind_bars("first"), "-a", all) == "a");  // not the beginning of the text
  CHECK(words(behind_bars("always"), "a-a", all) == "\u2581a|\u2581a");
}

TEST_CASE("of added tokens that begin at the same place the longest counts") {
  const nlohmann::json tokens = {added_token(7, "<s>"), added_token(8, "<s>a"), added_token(9, "x")};
  CHECK(pieces_with("added_tokens", tokens, "a<s>ax<s>c") == "a|<s>a|x|<s>|c");
}

TEST_CASE("an added token takes white space along on the sides where it strips") {
  const auto with = [](const nlohmann::json& options) {
    return nlohmann::json::array({added_token(7, "<s>", options)});
  };
  CHECK(pieces_with("added_tokens", with({}), "a <s> b") == "a| |<s>| |b");
  CHECK(pieces_with("added_tokens", with({{"lstrip", true}}), "a  <s> b") == "a|<s>| |b");
  CHECK(pieces_with("added_tokens", with({{"rstrip", true}}), "a <s>  b") == "a| |<s>|b");
  CHECK(pieces_with("added_tokens", with({{"lstrip", true}, {"rstrip", true}}), " <s> <s> ") == "<s>|<s>");
}

TEST_CASE("an added token that is a single word is not found inside one") {
  const auto with = [](bool single_word) {
    nlohmann::json document = small_document();
    document["added_tokens"] = nlohmann::json::array({added_token(7, "cb", {{"single_word", single_word}})});
    return parse(document);
  };
  CHECK(with(true).encode("cb") == std::vector<TokenId>{7});
  CHECK(with(true).encode("a cb") == std::vector<TokenId>{0, 3, 7});
  CHECK(with(true).encode("acb") == std::vector<TokenId>{0, 2, 1});
  CHECK(with(true).encode("cba") == std::vector<TokenId>{2, 1, 0});
  CHECK(with(false).encode("acb") == std::vector<TokenId>{0, 7});
}

TEST_CASE("a normalized added token is looked for after normalization") {
  const auto with = [](bool normalized) {
    nlohmann::json document = small_document();
    document["normalizer"] = {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "b"}};
    document["added_tokens"] = nlohmann::json::array({added_token(7, "c a", {{"normalized", normalized}})});
    return parse(document);
  };
  CHECK(with(true).encode("cba") == std::vector<TokenId>{7});
  CHECK(with(true).encode("c a") == std::vector<TokenId>{7});
  CHECK(with(false).encode("cba") == std::vector<TokenId>{2, 1, 0});
  CHECK(with(false).encode("c a") == std::vector<TokenId>{7});
}

TEST_CASE("a normalizer works on each stretch between added tokens, and an empty text gets nothing") {
  nlohmann::json document = small_document();
  document["normalizer"] = {{"type", "Prepend"}, {"prepend", "c"}};
  document["added_tokens"] = nlohmann::json::array({added_token(7, "<s>")});
  const Tokenizer tokenizer = parse(document);
  CHECK(pieces_of(tokenizer, "a<s>b") == "c|a|<s>|c|b");
  CHECK(tokenizer.encode("").empty());
}

TEST_CASE("NFC composes, also thousands of marks in the wrong order") {
  nlohmann::json document = small_document();
  document["model"]["vocab"] = vocabulary_of({"\u00E9", "e", "\u0323", "\u0301", "\u1EB9"});
  document["model"]["merges"] = nlohmann::json::array();
  document["normalizer"] = {{"type", "NFC"}};
  const Tokenizer tokenizer = parse(document);
  CHECK(pieces_of(tokenizer, "e\u0301") == "\u00E9");
  CHECK(pieces_of(tokenizer, "e\u0301\u0323") == "\u1EB9|\u0301");  // the mark below goes first
  std::string marks = "e";
  for (int i = 0; i < 100'000; ++i) marks += "\u0301\u0323";
  const auto ids = tokenizer.encode(marks);
  REQUIRE(ids.size() == 200'000);  // one mark has gone into the letter
  CHECK(ids[0] == TokenId(4));
  CHECK(ids[99'999] == TokenId(2));
  CHECK(ids[100'000] == TokenId(3));
}

TEST_CASE("the post-processor puts its tokens around the text unless told not to") {
  nlohmann::json document = small_document();
  const nlohmann::json text = {{"Sequence", {{"id", "A"}}}}, mark = {{"SpecialToken", {{"id", "mark"}}}};
  document["post_processor"] = {{"type", "TemplateProcessing"},
                                {"single", {mark, text, mark}},
                                {"special_tokens", {{"mark", {{"ids", {2, 1}}}}}}};
  const Tokenizer tokenizer = parse(document);
  CHECK(tokenizer.encode("a") == std::vector<TokenId>{2, 1, 0, 2, 1});
  CHECK(tokenizer.encode("a", SpecialTokens::skip) == std::vector<TokenId>{0});
  CHECK(tokenizer.encode("") == std::vector<TokenId>{2, 1, 2, 1});
}
