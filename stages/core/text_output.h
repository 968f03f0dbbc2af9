#pragma once
/// @file
/// From token ids to the text a client reads, piece by piece: whole characters only, and never a stop text.
///
///     token id -> StreamingDecoder (holds back torn characters) -> StopTextFilter (holds back possible stop texts) ->
///     text
#include <span>
#include <string>
#include <vector>

#include "stages/core/stop_text.h"
#include "stages/core/tokenizer/tokenizer.h"

namespace stagecraft {

class TextOutput {
 public:
  /// The output continues `prompt`: a character that the prompt leaves torn is completed, and a tokenizer that drops
  /// the space before the first word of a text keeps it here. `tokenizer` must outlive this.
  TextOutput(const Tokenizer& tokenizer, std::span<const TokenId> prompt, std::vector<std::string> stops);

  /// The text that `id` makes certain; may be empty. Special tokens print nothing, nor does an id that only pads the
  /// model's vocabulary and has no text.
  std::string push(TokenId id);
  /// The rest, when no more ids come.
  std::string finish();

  bool stopped() const { return filter_.stopped(); }

 private:
  std::string decode(TokenId id);

  StreamingDecoder decoder_;
  StopTextFilter filter_;
  int64_t vocabulary_;
};

}  // namespace stagecraft
