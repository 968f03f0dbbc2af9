#pragma once
/// @file
/// A tokenizer.json is a set of parts (model, normalizer, pre-tokenizer, ...), each an object whose "type" says what it
/// is. What we do not have is refused here, by name: a part left out would give other tokens without a word.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stages/core/json_fields.h"

namespace stagecraft::tokenizer {

/// What to do about a tokenizer that asks for more than we have.
inline constexpr const char* kUnsupportedHint =
    "this tokenizer needs a part that Stagecraft does not have; byte-level and SentencePiece-style BPE models work";

/// `text` for a message: in quotes, on one line, in ASCII.
inline std::string in_quotes(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
}

/// The "type" of `part`. Throws BadInput, naming the field and its value, unless it is one of `known`.
inline std::string type_of(const JsonField& part, const std::vector<std::string_view>& known) {
  const JsonField type = part.at("type");
  if (std::find(known.begin(), known.end(), type.text()) == known.end()) {
    type.fail(fmt::format("must be one of {}", fmt::join(known, ", ")), kUnsupportedHint);
  }
  return type.text();
}

/// Throws BadInput if the option `key` of `part` is present and neither null, false, 0 nor "".
inline void refuse_if_set(const JsonField& part, const std::string& key) {
  const auto option = part.find(key);
  if (!option) return;
  const nlohmann::json& value = option->value();
  if (value == false || value == "" || (value.is_number() && value == 0)) return;
  option->fail("must be absent or null", kUnsupportedHint);
}

}  // namespace stagecraft::tokenizer
