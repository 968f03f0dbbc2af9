#pragma once
/// @file
/// A tokenizer.json of a few lines, for tests to change.
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "stages/core/tokenizer/tokenizer.h"

namespace stagecraft::testing {

/// One piece for each of `pieces`, with ids 0, 1, ...
inline nlohmann::json vocabulary_of(const std::vector<std::string>& pieces) {
  nlohmann::json vocabulary = nlohmann::json::object();
  for (size_t i = 0; i < pieces.size(); ++i) vocabulary[pieces[i]] = i;
  return vocabulary;
}

/// Characters a b c, space and U+2581, and what the merges "a b", "ab c" make; every part else is absent.
inline nlohmann::json small_document() {
  return {{"decoder", {{"type", "Fuse"}}},
          {"model",
           {{"type", "BPE"},
            {"vocab", vocabulary_of({"a", "b", "c", " ", "\u2581", "ab", "abc"})},
            {"merges", {"a b", "ab c"}}}}};
}

inline Tokenizer parse(const nlohmann::json& document) { return Tokenizer::parse(document.dump(), "tokenizer.json"); }

/// An entry of "added_tokens".
inline nlohmann::json added_token(int id, const std::string& text, const nlohmann::json& options = {}) {
  nlohmann::json token = {{"id", id}, {"content", text}, {"special", true}};
  if (!options.is_null()) token.update(options);
  return token;
}

/// Pieces that `text` is cut into, put together with bars; shows what ids stand for.
inline std::string pieces_of(const Tokenizer& tokenizer, std::string_view text) {
  std::string shown;
  for (const TokenId id : tokenizer.encode(text)) shown += (shown.empty() ? "" : "|") + tokenizer.decode({id});
  return shown;
}

}  // namespace stagecraft::testing
