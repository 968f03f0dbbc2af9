#include "stages/core/tokenizer/vocabulary.h"

#include <algorithm>

#include "stages/core/tokenizer/part.h"

namespace stagecraft::tokenizer {
namespace {

constexpr int64_t kGapsForAnyFile = 4096;
constexpr int64_t kIdsPerPiece = 4;

int64_t checked_id(const JsonField& vocab, const std::string& piece, const nlohmann::json& id, int64_t most) {
  const bool good = id.is_number_unsigned() && id.get<uint64_t>() <= uint64_t(most);
  if (!good) vocab.at(piece).fail(fmt::format("must be an id from 0 to {}", most));
  return id.get<int64_t>();
}

}  // namespace

int64_t largest_id(size_t pieces) { return kIdsPerPiece * int64_t(pieces) + kGapsForAnyFile; }

Vocabulary::Vocabulary(const JsonField& vocab) {
  const nlohmann::json& object = vocab.object();
  if (object.empty()) vocab.fail("must have at least one piece");
  const int64_t most = largest_id(object.size());

  int64_t largest = 0;
  for (const auto& [piece, id] : object.items()) largest = std::max(largest, checked_id(vocab, piece, id, most));
  pieces_.resize(size_t(largest) + 1);

  ids_.reserve(object.size());
  for (const auto& [piece, id] : object.items()) {
    auto& slot = pieces_[id.get<size_t>()];
    if (slot) vocab.at(piece).fail(fmt::format("must be an id of its own, not that of {}", in_quotes(*slot)));
    slot = piece;
    ids_.emplace(*slot, id.get<TokenId>());
  }
}

std::optional<TokenId> Vocabulary::find(std::string_view piece) const {
  const auto found = ids_.find(piece);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

const std::string* Vocabulary::piece(TokenId id) const {
  if (id < 0 || id >= size() || !pieces_[size_t(id)]) return nullptr;
  return &*pieces_[size_t(id)];
}

}  // namespace stagecraft::tokenizer
