#pragma once
/// @file
/// What the model expects around every text, such as a token for its beginning (BOS).
#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "stages/core/json_fields.h"

namespace stagecraft::tokenizer {

class PostProcessor {
 public:
  /// `part`: the "post_processor" of a tokenizer.json, or nothing. Known are TemplateProcessing, ByteLevel (which
  /// concerns offsets only) and Sequence. Ids must be in [0, vocabulary).
  PostProcessor(const std::optional<JsonField>& part, int64_t vocabulary);

  /// Ids before and behind those of a text.
  const std::vector<TokenId>& prefix() const { return prefix_; }
  const std::vector<TokenId>& suffix() const { return suffix_; }

 private:
  void add(const JsonField& part, int64_t vocabulary);
  void add_template(const JsonField& part, int64_t vocabulary);

  std::vector<TokenId> prefix_, suffix_;
};

}  // namespace stagecraft::tokenizer
