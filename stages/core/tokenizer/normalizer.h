#pragma once
/// @file
/// What happens to a stretch of text before it is cut into words: NFC, Prepend, Replace, or a Sequence of them.
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/pattern.h"

namespace stagecraft::tokenizer {

class Normalizer {
 public:
  /// `part`: the "normalizer" of a tokenizer.json; nothing where it is null.
  explicit Normalizer(const std::optional<JsonField>& part);

  /// `text` must be UTF-8. Throws BadInput where the steps blow the text up beyond reason.
  std::string apply(std::string_view text) const;

 private:
  struct Nfc {};
  struct Prepend {
    std::string text;
  };
  struct Replace {
    Pattern pattern;
    std::string content;
  };
  using Step = std::variant<Nfc, Prepend, Replace>;

  void add(const JsonField& part);
  static std::string apply(const Step& step, std::string text, size_t largest);

  std::vector<Step> steps_;
};

}  // namespace stagecraft::tokenizer
