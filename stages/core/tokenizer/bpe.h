#pragma once
/// @file
/// Byte-pair encoding of one word: begin with its characters, then merge the pair of neighbours of the lowest rank (the
/// leftmost of equal ones) until no two neighbours have a merge.
///
/// Source: Sennrich, Haddow, Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016.
///
/// Near-linear: the symbols form a linked list, the possible merges a priority queue. A merge touches its two
/// neighbours only, so a word of n characters costs at most 3 n pushes, each O(log n); looking at all pairs again after
/// every merge, as the definition reads, would cost O(n^2).
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"
#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/merge_table.h"
#include "stages/core/tokenizer/vocabulary.h"

namespace stagecraft::tokenizer {

/// Buffers that one encoding run uses again from word to word, and a count of its work.
class BpeScratch {
 public:
  /// Pushes to and pops from the priority queue so far: what the encoder's time grows with.
  int64_t queue_operations() const { return queue_operations_; }

 private:
  friend class Bpe;
  /// A piece of the word under way; a doubly linked list in the order of the text.
  struct Symbol {
    TokenId id;  // kNoToken once it has been merged into its left neighbour
    int32_t previous;
    int32_t next;
  };
  /// A merge that was possible when it was queued; stale if the symbols there have changed since.
  struct Candidate {
    int32_t rank;
    int32_t position;  // of the left symbol
    TokenId left, right, whole;
  };

  std::vector<Symbol> symbols_;
  std::vector<Candidate> queue_;  // a heap; the lowest rank, then the leftmost, on top
  int64_t queue_operations_ = 0;
};

/// The "model" of a tokenizer.json.
class Bpe {
 public:
  /// Throws BadInput for a model that is not BPE, or that asks for options we do not have (dropout,
  /// continuing_subword_prefix, end_of_word_suffix).
  explicit Bpe(const JsonField& model);

  const Vocabulary& vocabulary() const { return vocabulary_; }

  /// Appends the ids of `word`, which must be UTF-8. A character that is not in the vocabulary becomes its bytes
  /// (byte_fallback), else the unknown token, else nothing.
  void encode(std::string_view word, std::vector<TokenId>& ids, BpeScratch& scratch) const;

 private:
  void append_characters(std::string_view word, BpeScratch& scratch) const;
  bool append_bytes(std::string_view character, BpeScratch& scratch) const;
  void push_candidate(int32_t position, BpeScratch& scratch) const;
  void merge_all(BpeScratch& scratch) const;
  void merge_at(int32_t position, TokenId whole, BpeScratch& scratch) const;

  Vocabulary vocabulary_;
  MergeTable merges_;
  std::optional<TokenId> unknown_;
  bool fuse_unknown_;   // a run of unknown characters is one token
  bool ignore_merges_;  // a word that is in the vocabulary as a whole is one token, whether or not merges build it
  bool byte_fallback_;
  std::array<std::optional<TokenId>, 256> byte_ids_;  // of <0x00> to <0xFF>
};

}  // namespace stagecraft::tokenizer
