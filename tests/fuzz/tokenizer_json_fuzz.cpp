/// @file
/// Any bytes as a tokenizer.json. They may be refused by BadInput; a tokenizer that is accepted must survive a text of
/// many kinds of characters and all its own ids, and print token by token what it decodes in one go.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/check.h"
#include "stages/core/tokenizer/tokenizer.h"

namespace stagecraft {
namespace {

constexpr std::string_view kText =
    "Ab  12\xC3\xA9"
    "e\xCC\x81 \xE4\xB8\x96\n<s> \xF0\x9F\x98\x80.'s\xE2\x96\x81x aaaaaaaaaaaaaaaa";
constexpr int64_t kIdsTried = 64;

std::string streamed(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  StreamingDecoder decoder(tokenizer, SpecialTokens::keep);
  std::string text;
  for (const TokenId id : ids) text += decoder.push(id);
  return text + decoder.finish();
}

void try_text(const Tokenizer& tokenizer) {
  const std::vector<TokenId> ids = tokenizer.encode(kText);
  for (const TokenId id : ids) check(id >= 0 && id < tokenizer.vocabulary(), "ids are in the vocabulary");
  check(streamed(tokenizer, ids) == tokenizer.decode(ids), "streaming gives the same text");
}

void try_ids(const Tokenizer& tokenizer) {
  for (int64_t id = 0; id < std::min(tokenizer.vocabulary(), kIdsTried); ++id) {
    try {
      tokenizer.decode({TokenId(id)}, SpecialTokens::skip);
    } catch (const BadInput&) {  // a gap
    }
  }
}

}  // namespace
}  // namespace stagecraft

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string_view json(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = stagecraft::Tokenizer::parse(json, "fuzz");
    stagecraft::try_ids(tokenizer);
    stagecraft::try_text(tokenizer);
  } catch (const stagecraft::BadInput&) {
  }
  return 0;
}
