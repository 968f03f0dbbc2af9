#pragma once
/// @file
/// Drafts without a model (prompt lookup; Saxena 2023; "ngram" in vLLM and llama.cpp): texts repeat themselves, above
/// all where an answer quotes its prompt: code that is edited, a summary, a name.
///
///     ... the  red  fox  ran  home .  ...  then  the  red  fox        the last 3 tokens came before,
///         \____________/  ran  home .            \____________/  ->   so guess what followed: ran home .
///
/// Of all suffixes of min_match to max_match tokens that came before, the longest counts; of its occurrences, the
/// latest. Where the guess reaches the end of the text it goes on reading in the guess itself, so a text that loops is
/// drafted round and round: "a b a b" -> "a b a b a ...".
///
/// An index of each request holds where every n-gram was seen last, so a step costs O(new tokens x max_match), whatever
/// the length of the text.
#include <unordered_map>

#include "stages/6_speculative_decoding/drafter.h"

namespace stagecraft {

struct NgramOptions {
  static constexpr int kLongestMatch = 32;

  int min_match = 1;  // shorter suffixes are no evidence
  int max_match = 3;  // longer ones are not looked for
};

class NgramDrafter final : public Drafter {
 public:
  /// Throws BadInput unless 1 <= min_match <= max_match <= kLongestMatch.
  explicit NgramDrafter(const NgramOptions& options = {});

  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) override;
  void forget(const Request& request) override { indices_.erase(request.id); }
  std::string describe() const override;

  /// Tokens that went through an index: each token of a request does once.
  int64_t tokens_indexed() const { return tokens_indexed_; }
  /// Requests with an index.
  size_t requests() const { return indices_.size(); }

 private:
  struct Index {
    int64_t indexed = 0;                           // n-grams that end before this position are known
    std::unordered_map<uint64_t, int64_t> latest;  // hash of an n-gram -> where its latest occurrence ends
  };

  void catch_up(Index& index, const std::vector<TokenId>& tokens);
  int64_t position_after_match(const Index& index, const std::vector<TokenId>& tokens) const;

  NgramOptions options_;
  std::unordered_map<int, Index> indices_;  // by request id
  int64_t tokens_indexed_ = 0;
};

}  // namespace stagecraft
