#pragma once
/// @file
/// Added tokens: texts such as <|endoftext|> that are found in the text before anything else looks at it. They may or
/// may not be in the model's vocabulary; "special" ones are left out of the text on request.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/kernels.h"
#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/normalizer.h"
#include "stages/core/tokenizer/token_trie.h"
#include "stages/core/tokenizer/vocabulary.h"

namespace stagecraft::tokenizer {

struct AddedToken {
  TokenId id;
  std::string text;
  bool special;      // not part of the text proper
  bool normalized;   // looked for in the normalized text; else in the text as given
  bool single_word;  // only where no letter or digit touches it
  bool left_strip;   // takes the white space before it along
  bool right_strip;  // and that behind it
};

/// A part of a text: an added token, or what lies between two of them.
struct Section {
  std::string_view text;
  const AddedToken* token;  // null for text
};

class AddedTokens {
 public:
  /// `document`: a whole tokenizer.json. Throws BadInput for ids that are not those of the vocabulary, or used twice.
  AddedTokens(const JsonField& document, const Vocabulary& vocabulary, const Normalizer& normalizer);

  /// Cuts `text` at the added tokens that are looked for before (`normalized` false) or after normalization. Where
  /// several begin at the same place the longest counts. No section is empty.
  std::vector<Section> split(std::string_view text, bool normalized) const;

  const AddedToken* find(TokenId id) const;
  const AddedToken* find(std::string_view text) const;
  /// The largest id; -1 where there are none.
  int64_t largest_id() const { return largest_id_; }
  /// How many are not in the model's vocabulary.
  int64_t outside_vocabulary() const { return outside_vocabulary_; }

 private:
  void add(const JsonField& field, const Vocabulary& vocabulary);
  void fill_tries(const Normalizer& normalizer);

  std::vector<AddedToken> tokens_;
  std::unordered_map<TokenId, size_t> by_id_;  // index in tokens_
  std::unordered_map<std::string, size_t> by_text_;
  TokenTrie raw_, normalized_;
  int64_t largest_id_ = -1;
  int64_t outside_vocabulary_ = 0;
};

}  // namespace stagecraft::tokenizer
