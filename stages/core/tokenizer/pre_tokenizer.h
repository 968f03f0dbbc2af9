#pragma once
/// @file
/// Cuts a stretch of text into the words that BPE then encodes one by one; no token reaches across two words.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/pattern.h"
#include "stages/core/tokenizer/words.h"

namespace stagecraft::tokenizer {

/// Whether Metaspace puts its sign before a word that does not begin with it.
enum class PrependScheme { never, first, always };

/// Reads "never", "first" (before the very beginning of the text only) or "always" from a Metaspace part; absent means
/// always.
PrependScheme parse_prepend_scheme(const JsonField& metaspace);

/// The character that Metaspace writes for a space. Throws BadInput if it is not one character.
std::string parse_replacement(const JsonField& metaspace);

class PreTokenizer {
 public:
  /// `part`: the "pre_tokenizer" of a tokenizer.json; where it is null, all of the text is one word. Known are
  /// ByteLevel, Split, Digits, Metaspace and Sequence.
  explicit PreTokenizer(const std::optional<JsonField>& part);

  /// Cuts every word of `words` further, and writes it in the alphabet of the vocabulary.
  void apply(Words& words) const;

 private:
  struct Split {
    Pattern pattern;
    SplitBehavior behavior;
    bool invert;
  };
  struct PrefixSpace {};  // before words that do not begin with one
  struct ToByteAlphabet {};
  struct Metaspace {
    std::string replacement;
    PrependScheme scheme;
  };
  using Step = std::variant<Split, PrefixSpace, ToByteAlphabet, Metaspace>;

  void add(const JsonField& part);
  void add_byte_level(const JsonField& part);
  void add_metaspace(const JsonField& part);

  static void apply(const Split& split, Words& words);
  static void apply(const PrefixSpace&, Words& words);
  static void apply(const ToByteAlphabet&, Words& words);
  static void apply(const Metaspace& metaspace, Words& words);

  std::vector<Step> steps_;
};

}  // namespace stagecraft::tokenizer
