/// @file
/// Decoder and stop-text filter in a row.
#include "stages/core/text_output.h"

#include <utility>

namespace stagecraft {

TextOutput::TextOutput(const Tokenizer& tokenizer, std::span<const TokenId> prompt, std::vector<std::string> stops)
    : decoder_(tokenizer, SpecialTokens::skip), filter_(std::move(stops)), vocabulary_(tokenizer.vocabulary()) {
  for (const TokenId id : prompt) decode(id);  // its text is known to the client
}

std::string TextOutput::push(TokenId id) { return filter_.push(decode(id)); }

std::string TextOutput::finish() {
  std::string rest = filter_.push(decoder_.finish());
  return rest + filter_.finish();
}

std::string TextOutput::decode(TokenId id) { return id < vocabulary_ ? decoder_.push(id) : ""; }

}  // namespace stagecraft
