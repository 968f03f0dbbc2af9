#pragma once
/// @file
/// A stretch of text cut into words, and the ways in which a found separator cuts it.
#include <string>
#include <string_view>
#include <vector>

#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/pattern.h"

namespace stagecraft::tokenizer {

/// Words in the order of the text; none is empty. They are ranges of one string, so that a text of a million words
/// costs one allocation and not a million.
class Words {
 public:
  /// One word: all of `text`. `at_start`: whether it is the beginning of what the user gave.
  Words(std::string text, bool at_start);

  size_t size() const { return ranges_.size(); }
  std::string_view word(size_t i) const { return std::string_view(text_).substr(ranges_[i].begin, length(ranges_[i])); }
  /// Whether word `i` is the very beginning of what the user gave.
  bool starts_text(size_t i) const { return at_start_ && i == 0; }

  /// Puts `rewrite(word, starts_text, out)` for every word; it appends the new word to `out`.
  template <class Rewrite>
  void rewrite(Rewrite&& rewrite) {
    std::string text;
    text.reserve(text_.size());
    for (size_t i = 0; i < size(); ++i) {
      const size_t begin = text.size();
      rewrite(word(i), starts_text(i), text);
      ranges_[i] = {begin, text.size()};
    }
    text_ = std::move(text);
  }

  /// Puts the pieces that `pieces_of(word)` names, relative to the word, for every word. Empty ones are left out.
  template <class PiecesOf>
  void split(PiecesOf&& pieces_of) {
    std::vector<Range> ranges;
    for (size_t i = 0; i < size(); ++i) {
      const size_t offset = ranges_[i].begin;
      for (const Range& piece : pieces_of(word(i))) {
        if (length(piece) > 0) ranges.push_back({offset + piece.begin, offset + piece.end});
      }
    }
    const bool lost_start = ranges.empty() || ranges_.empty() || ranges[0].begin != ranges_[0].begin;
    at_start_ = at_start_ && !lost_start;
    ranges_ = std::move(ranges);
  }

 private:
  static size_t length(const Range& range) { return range.end - range.begin; }

  std::string text_;
  std::vector<Range> ranges_;
  bool at_start_;
};

/// What becomes of the separators that a Split finds.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// Reads "Removed", "Isolated" and so on. Throws BadInput for others.
SplitBehavior parse_split_behavior(const JsonField& behavior);

/// The pieces of a text of `size` bytes in which `separators` were found, in order.
std::vector<Range> split_pieces(size_t size, const std::vector<Range>& separators, bool invert, SplitBehavior behavior);

}  // namespace stagecraft::tokenizer
