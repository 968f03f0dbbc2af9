#pragma once
/// @file
/// The merges of a BPE model: which two neighbouring pieces become one, and which of two possible merges goes first.
#include <cstdint>
#include <unordered_map>

#include "kernels/kernels.h"
#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/vocabulary.h"

namespace stagecraft::tokenizer {

/// What a pair of neighbours becomes.
struct Merge {
  int32_t rank;   // position in the file's list; the lowest goes first
  TokenId whole;  // id of the two pieces' text put together
};

class MergeTable {
 public:
  /// `merges`: an array of "left right" strings or of [left, right] pairs, in order of rank. Where a pair occurs twice
  /// the later rank counts, as in the reference implementation. Throws BadInput where a piece or the merged piece is
  /// not in the vocabulary.
  MergeTable(const JsonField& merges, const Vocabulary& vocabulary);

  /// The merge of `left` and `right`; null where there is none.
  const Merge* find(TokenId left, TokenId right) const {
    const auto found = merges_.find(key(left, right));
    return found == merges_.end() ? nullptr : &found->second;
  }

 private:
  static uint64_t key(TokenId left, TokenId right) { return uint64_t(uint32_t(left)) << 32 | uint32_t(right); }

  std::unordered_map<uint64_t, Merge> merges_;
};

}  // namespace stagecraft::tokenizer
