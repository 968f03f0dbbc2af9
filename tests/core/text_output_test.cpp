/// @file
/// Text of token ids as a client reads it, with the tokenizer of the tales models.
#include "stages/core/text_output.h"

#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/core/tales_tokenizer.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

/// Ids of `text`, where each byte is a token of its own: characters are torn at every border.
std::vector<TokenId> byte_ids(const std::string& text) {
  std::vector<TokenId> ids;
  for (const char byte : text) ids.push_back(id_of_byte(byte));
  return ids;
}

}  // namespace

TEST_CASE("a character of four bytes in four tokens comes out whole, with the last of them", "[text]") {
  TextOutput output(tales_tokenizer(), {}, {});
  std::vector<std::string> pieces;
  for (const TokenId id : byte_ids("a\U0001F600b")) pieces.push_back(output.push(id));
  CHECK(pieces == std::vector<std::string>{"a", "", "", "", "\U0001F600", "b"});
}

TEST_CASE("a character that stays torn becomes U+FFFD at the end", "[text]") {
  TextOutput output(tales_tokenizer(), {}, {});
  std::vector<TokenId> ids = byte_ids("\U0001F600");
  ids.pop_back();
  std::string text;
  for (const TokenId id : ids) text += output.push(id);
  CHECK(text.empty());
  CHECK(output.finish() == "\uFFFD");
}

TEST_CASE("a character that the prompt leaves torn is completed by the output", "[text]") {
  const std::vector<TokenId> ids = byte_ids("x\u00E9");
  TextOutput output(tales_tokenizer(), std::span(ids).first(2), {});
  CHECK(output.push(ids[2]) == "\u00E9");
}

TEST_CASE("stop texts are found across tokens and torn characters", "[text][stop]") {
  TextOutput output(tales_tokenizer(), {}, {"\u00E9nd"});
  std::string text;
  for (const TokenId id : byte_ids("the \u00E9nd.")) text += output.push(id);
  CHECK(text + output.finish() == "the ");
  CHECK(output.stopped());
}

TEST_CASE("special tokens print nothing, nor do ids that only pad the model's vocabulary", "[text]") {
  TextOutput output(tales_tokenizer(), {}, {});
  CHECK(output.push(kTalesEndOfText) == "");
  CHECK(output.push(TokenId(tales_tokenizer().vocabulary())) == "");
  CHECK(output.finish() == "");
}

TEST_CASE("the pieces put together are what decoding at once gives", "[text]") {
  const std::string text = "Once upon a time there was a caf\u00E9 of \U0001F600 na\u00EFve kings.\n";
  const std::vector<TokenId> ids = tales_tokenizer().encode(text);
  TextOutput output(tales_tokenizer(), {}, {});
  std::string streamed;
  for (const TokenId id : ids) streamed += output.push(id);
  CHECK(streamed + output.finish() == text);
}
