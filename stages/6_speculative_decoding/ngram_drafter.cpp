/// @file
/// Index what is new, look up the suffix, copy what followed.
#include "stages/6_speculative_decoding/ngram_drafter.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr int64_t kNoMatch = 0;  // nothing can be followed by the first token

/// The hash of an n-gram that grows to the left by one token at a time; its length is part of it. (The multiplier is
/// 2^64 / golden ratio, whose multiples are spread evenly: Knuth, volume 3, 6.4.)
uint64_t grow(uint64_t hash, TokenId token) {
  constexpr uint64_t kSpread = 0x9E3779B97F4A7C15u;
  const uint64_t mixed = (hash + uint64_t(uint32_t(token)) + 1) * kSpread;
  return mixed ^ mixed >> 32;
}

bool same_ngram(const std::vector<TokenId>& tokens, int64_t end, int64_t other_end, int64_t length) {
  return std::equal(tokens.begin() + (end - length + 1), tokens.begin() + (end + 1),
                    tokens.begin() + (other_end - length + 1));
}

}  // namespace

NgramDrafter::NgramDrafter(const NgramOptions& options) : options_(options) {
  const std::string rule = fmt::format("the shortest match is at least 1, the longest at least that and at most {}",
                                       NgramOptions::kLongestMatch);
  if (options.min_match < 1 || options.max_match < options.min_match ||
      options.max_match > NgramOptions::kLongestMatch) {
    throw BadInput(fmt::format("n-grams of {} to {} tokens cannot be looked up", options.min_match, options.max_match),
                   rule);
  }
}

std::string NgramDrafter::describe() const {
  return fmt::format("n-grams of {} to {} tokens", options_.min_match, options_.max_match);
}

std::vector<Draft> NgramDrafter::propose(std::span<const Request* const> requests, std::span<const int> lengths) {
  std::vector<Draft> drafts(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    const std::vector<TokenId>& tokens = requests[i]->tokens;
    Index& index = indices_[requests[i]->id];
    catch_up(index, tokens);
    const int64_t from = position_after_match(index, tokens);
    if (from == kNoMatch) continue;
    std::vector<TokenId>& draft = drafts[i].tokens;
    const int64_t known = int64_t(tokens.size());
    for (int64_t at = from; int(draft.size()) < lengths[i]; ++at) {
      draft.push_back(at < known ? tokens[size_t(at)] : draft[size_t(at - known)]);
    }
  }
  return drafts;
}

// The n-grams that end at the last token are not known yet: nothing has followed them.
void NgramDrafter::catch_up(Index& index, const std::vector<TokenId>& tokens) {
  const int64_t followed = std::max<int64_t>(int64_t(tokens.size()) - 1, 0);
  if (index.indexed > followed) index = {};  // another request of this id
  tokens_indexed_ += followed - index.indexed;
  for (; index.indexed < followed; ++index.indexed) {
    const int64_t end = index.indexed;
    uint64_t hash = 0;
    for (int64_t length = 1; length <= std::min<int64_t>(options_.max_match, end + 1); ++length) {
      hash = grow(hash, tokens[size_t(end - length + 1)]);
      if (length >= options_.min_match) index.latest[hash] = end;
    }
  }
}

// Two n-grams may share a hash, so the tokens are compared. The match is shorter than the text, and lies before its end.
int64_t NgramDrafter::position_after_match(const Index& index, const std::vector<TokenId>& tokens) const {
  const int64_t last = int64_t(tokens.size()) - 1;
  int64_t after = kNoMatch;
  uint64_t hash = 0;
  for (int64_t length = 1; length <= std::min<int64_t>(options_.max_match, last); ++length) {
    hash = grow(hash, tokens[size_t(last - length + 1)]);
    if (length < options_.min_match) continue;
    const auto found = index.latest.find(hash);
    if (found == index.latest.end()) break;  // a longer suffix has not come before either
    const int64_t end = found->second;
    if (end + 1 >= length && same_ngram(tokens, last, end, length)) after = end + 1;
  }
  return after;
}

}  // namespace stagecraft
