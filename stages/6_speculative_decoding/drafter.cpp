/// @file
/// What a draft must fulfil before a verifier sees it.
#include "stages/6_speculative_decoding/drafter.h"

#include <algorithm>

namespace stagecraft {
namespace {

bool is_inside(const Distribution& distribution, int64_t vocabulary) {
  const auto& parts = distribution.parts();  // by increasing id
  return !parts.empty() && parts.front().id >= 0 && parts.back().id < vocabulary;
}

/// One distribution a token, and each token possible.
bool belong_together(const Draft& draft) {
  if (draft.drawn_from.size() != draft.size()) return false;
  for (size_t i = 0; i < draft.size(); ++i) {
    if (draft.drawn_from[i].of(draft.tokens[i]) <= 0.0) return false;
  }
  return true;
}

}  // namespace

void Draft::cut(size_t count) {
  tokens.resize(std::min(count, tokens.size()));
  drawn_from.resize(std::min(count, drawn_from.size()));
}

size_t usable_prefix(const Draft& draft, int64_t vocabulary) {
  if (draft.drawn_from.empty()) {
    const auto outside =
        std::find_if(draft.tokens.begin(), draft.tokens.end(), [&](TokenId id) { return id < 0 || id >= vocabulary; });
    return size_t(outside - draft.tokens.begin());
  }
  if (!belong_together(draft)) return 0;
  const auto outside = std::find_if(draft.drawn_from.begin(), draft.drawn_from.end(),
                                    [&](const Distribution& q) { return !is_inside(q, vocabulary); });
  return size_t(outside - draft.drawn_from.begin());
}

}  // namespace stagecraft
