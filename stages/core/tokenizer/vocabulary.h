#pragma once
/// @file
/// The model's vocabulary: pieces of text and their ids, both ways. Added tokens outside it live in added_tokens.h.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/kernels.h"
#include "stages/core/json_fields.h"

namespace stagecraft::tokenizer {

/// The largest id that a file of `pieces` pieces may use. Ids may have gaps (reserved rows of the embedding), but since
/// tables are indexed by id, a short file must not be able to ask for gigabytes.
int64_t largest_id(size_t pieces);

class Vocabulary {
 public:
  /// `vocab`: an object, piece -> id. Throws BadInput for ids that are negative, too large or used twice.
  explicit Vocabulary(const JsonField& vocab);

  Vocabulary(const Vocabulary&) = delete;  // ids_ points into pieces_
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) noexcept = default;
  Vocabulary& operator=(Vocabulary&&) noexcept = default;

  std::optional<TokenId> find(std::string_view piece) const;
  /// Text of `id`; null where no piece has it.
  const std::string* piece(TokenId id) const;
  /// One more than the largest id.
  int64_t size() const { return int64_t(pieces_.size()); }
  /// How many ids have a piece.
  int64_t pieces() const { return int64_t(ids_.size()); }

 private:
  std::vector<std::optional<std::string>> pieces_;  // by id
  std::unordered_map<std::string_view, TokenId> ids_;
};

}  // namespace stagecraft::tokenizer
