/// @file
/// Any bytes as a text, or as a list of ids. The first byte chooses which, and the tokenizer: one of each kind.
///
/// Text that is not UTF-8 is refused. Other text is encoded; the byte-level tokenizer must give it back as it was. Ids
/// are decoded; printed token by token they must give the same text, and every part of it must be UTF-8.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/check.h"
#include "stages/core/tokenizer/tokenizer.h"
#include "stages/core/tokenizer/utf8.h"

namespace stagecraft {
namespace {

constexpr size_t kTokenizers = 5;
constexpr size_t kByteLevel = 0;  // has all 256 bytes and no normalizer: it loses nothing

const std::array<Tokenizer, kTokenizers>& tokenizers() {
  const std::string root = STAGECRAFT_SOURCE_DIR, golden = root + "/tests/golden/tokenizers/";
  static const std::array<Tokenizer, kTokenizers> all = {
      Tokenizer::load(root + "/models/tales-5m"), Tokenizer::load(golden + "llama3"), Tokenizer::load(golden + "qwen2"),
      Tokenizer::load(golden + "llama2"), Tokenizer::load(golden + "metaspace")};
  return all;
}

void check_decoding(const Tokenizer& tokenizer, const std::vector<TokenId>& ids, SpecialTokens special) {
  const std::string whole = tokenizer.decode(ids, special);
  StreamingDecoder decoder(tokenizer, special);
  std::string streamed;
  for (const TokenId id : ids) {
    const std::string part = decoder.push(id);
    check(tokenizer::first_broken_byte(part) == part.npos, "no torn character is printed");
    streamed += part;
  }
  check(streamed + decoder.finish() == whole, "streaming gives the same text");
}

/// Two bytes an id.
std::vector<TokenId> as_ids(std::string_view bytes, int64_t vocabulary) {
  std::vector<TokenId> ids;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    ids.push_back(TokenId((uint8_t(bytes[i]) << 8 | uint8_t(bytes[i + 1])) % vocabulary));
  }
  return ids;
}

void try_ids(const Tokenizer& tokenizer, std::string_view bytes) {
  const std::vector<TokenId> ids = as_ids(bytes, tokenizer.vocabulary());
  check_decoding(tokenizer, ids, SpecialTokens::keep);
  check_decoding(tokenizer, ids, SpecialTokens::skip);
}

void try_text(size_t which, std::string_view text) {
  const Tokenizer& tokenizer = tokenizers()[which];
  const std::vector<TokenId> ids = tokenizer.encode(text);
  for (const TokenId id : ids) check(id >= 0 && id < tokenizer.vocabulary(), "ids are in the vocabulary");
  check_decoding(tokenizer, ids, SpecialTokens::keep);
  if (which == kByteLevel) check(tokenizer.decode(ids) == text, "byte-level BPE loses nothing");
}

}  // namespace
}  // namespace stagecraft

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const size_t which = data[0] % stagecraft::kTokenizers;
    if (data[0] < 0x80) {
      stagecraft::try_text(which, bytes.substr(1));
    } else {
      stagecraft::try_ids(stagecraft::tokenizers()[which], bytes.substr(1));
    }
  } catch (const stagecraft::BadInput&) {  // not UTF-8
  }
  return 0;
}
